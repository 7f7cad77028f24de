// Generated from the OpenAPI document by `npm run client`.

export interface paths {
  "/v1/links": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
          codes?: string;
          label?: string;
          enabled?: boolean;
          archived?: "false" | "true" | "all";
          domain?: string;
          created_after?: string;
          created_before?: string;
          search?: string;
          sort?: "created_at" | "scan_count" | "last_scan_at";
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Of links, it is always false without a filter. */
                total_is_capped: boolean;
                /** Value of `before` for the next page. Null at the end of the list. */
                next_before: string | null;
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["NewLink"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictSlugTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/export": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "text/csv": string;
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/bulk": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        links: components["schemas"]["NewLink"][];
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: {
                created: components["schemas"]["Link"][];
                errors: components["schemas"]["BulkError"][];
              };
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/bulk/status": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        ids: string[];
        enabled: boolean;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: {
                updated: number;
              };
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/links/{link_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        /** Address that the link redirects to, unless a routing rule chooses another one. */
        url?: string;
        /** Other name of `url`, the one that responses use. If both are given, they must be equal. */
        destination?: string;
        labels?: string[];
        enabled?: boolean;
        routing_rules?: components["schemas"]["NewRoutingRule"][];
        expires_at?: string | null;
        /** Name of the link for people. Searches find it. */
        title?: string | null;
        /** Note for people. */
        note?: string | null;
        /** Lists leave archived links out unless asked. They redirect on. */
        archived?: boolean | null;
        /** Time from which the link redirects. Before it, the short address leads to `early_url`, and without one it is as unknown. */
        starts_at?: string | null;
        /** Address that the link leads to before `starts_at`. These visits are no scans. */
        early_url?: string | null;
        /** Address that the link leads to instead of a 410 once it has expired or while it is disabled. These visits are no scans. */
        expired_url?: string | null;
        /** Number of scans of people after which the link leads nowhere any more, counted over its whole life. Exactly so many are redirected. */
        max_scans?: number | null;
        /** Password that visitors are asked for. It is stored as a hash and never returned; see `has_password`. */
        password?: string | null;
        /** Title, text and image that previews of the link show in chats and social networks, instead of those of its destination. */
        preview?: {
          title: string;
          description?: string | null;
          image_url?: string | null;
        } | null;
        /** True if the visitor's query parameters are added to the destination. Those of the destination with the same name are replaced. */
        forward_query?: boolean | null;
        /** Number of scans that another service counted before an import. `scan_count` never has them. */
        imported_scans?: number | null;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/links/{link_id}/resolve": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody?: { content: { "application/json": components["schemas"]["VisitorDescription"] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["ResolvedLink"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/{link_id}/history": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          before?: string;
        };
        header?: never;
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["AuditEntry"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Of links, it is always false without a filter. */
                total_is_capped: boolean;
                /** Value of `before` for the next page. Null at the end of the list. */
                next_before: string | null;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/{link_id}/history/{entry_id}/revert": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          link_id: string;
          entry_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictEntryNotRevertibleReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/{link_id}/qr": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          format?: "svg" | "png" | "pdf";
          size?: number;
          width?: number;
          width_mm?: number;
          template_id?: string;
        };
        header?: {
          "If-None-Match"?: string;
        };
        path: {
          link_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "image/svg+xml": string;
            "image/png": string;
            "application/pdf": string;
          };
        };
        304: {
          headers: { [name: string]: unknown };
          content?: never;
        };
        400: components["responses"]["BadRequestLowercase"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceeded"];
        404: components["responses"]["NotFoundLowercase"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/qr/generate": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        content: string;
        /** Image format. */
        format?: "svg" | "png" | "pdf";
        /** Width of a module in pixels, for SVG and PNG. In an SVG, these are CSS pixels. Default: 10, unless `width` is given. A PNG with a logo has a limit below the maximum: 512 pixels for the logo. */
        size?: number;
        /** Width of the whole image in pixels, for SVG and PNG, instead of `size`. A PNG gets the largest whole number of pixels per module that fits; what is left widens the quiet zone. There must be at least 2 pixels per module, and a PNG has at most 512 pixels for a logo: with `logo_size` 0.2 that is a `width` of about 2,500, with 0.4 of about 1,300. */
        width?: number;
        /** Width of the page in millimetres, for PDF. Default: 40. */
        width_mm?: number;
        design?: components["schemas"]["QrDesign"];
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "image/svg+xml": string;
            "image/png": string;
            "application/pdf": string;
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/qr/templates": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["QrTemplate"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        name: string;
        description?: string;
        design?: components["schemas"]["QrDesign"];
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["QrTemplate"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/qr/templates/{template_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          template_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["QrTemplate"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          template_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          template_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        name?: string;
        description?: string;
        design?: {
          foreground_color?: string | null;
          background_color?: string | null;
          corner_color?: string | null;
          error_correction?: "L" | "M" | "Q" | "H" | null;
          dot_style?: "square" | "rounded" | "dots" | "classy" | "classy-rounded" | "extra-rounded" | null;
          corner_style?: "square" | "rounded" | "dot" | "extra-rounded" | null;
          logo_url?: string | null;
          logo_size?: number | null;
          quiet_zone?: number | null;
        };
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["QrTemplate"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/bio/pages": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        title: string;
        description?: string;
        page_data?: components["schemas"]["PageData"];
        /** Path of the page on the host of the bio pages, which all workspaces share. It never changes. If absent, it is derived from the title, with a random suffix if it is taken. */
        slug?: string;
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictSlugTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/bio/pages/{page_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        title?: string;
        description?: string;
        /** New content of the page. It replaces the old one as a whole; `page_data_patch` changes single parts. */
        page_data?: components["schemas"]["PageData"];
        /** Changes of single parts of `page_data`, as a JSON Merge Patch (RFC 7396): objects are merged, null removes a field, and arrays such as `links` are replaced as a whole. The result is checked like `page_data`. Cannot be combined with `page_data`. */
        page_data_patch?: {
          [name: string]: unknown;
        };
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/bio/pages/{page_id}/publish": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/bio/pages/{page_id}/unpublish": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/bio/pages/{page_id}/analytics/timeseries": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query: {
          metric?: "views" | "clicks";
          interval: "hour" | "day" | "week" | "month";
          from_date?: string;
          to_date?: string;
          time_zone?: string;
          traffic?: "human" | "bot" | "preview" | "prefetch" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
        };
        header?: never;
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["PageTimeseries"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/bio/pages/{page_id}/analytics/breakdown": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query: {
          metric?: "views" | "clicks";
          by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "traffic";
          from_date?: string;
          to_date?: string;
          time_zone?: string;
          traffic?: "human" | "bot" | "preview" | "prefetch" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
          limit?: number;
        };
        header?: never;
        path: {
          page_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["PageBreakdown"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets/presign": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["NewAsset"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["PresignedAsset"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets/presign/{asset_id}/confirm": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Asset"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictAssetNotUploadedReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Asset"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets/{asset_id}/confirm": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Asset"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictAssetNotUploadedReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets/{asset_id}/publish": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Asset"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictAssetNotConfirmedReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/assets/{asset_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Asset"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/analytics/timeseries": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query: {
          interval: "hour" | "day" | "week" | "month";
          from_date?: string;
          to_date?: string;
          time_zone?: string;
          traffic?: "human" | "bot" | "preview" | "prefetch" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
          rule?: string;
          link_id?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Timeseries"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/analytics/breakdown": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query: {
          by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic";
          from_date?: string;
          to_date?: string;
          time_zone?: string;
          traffic?: "human" | "bot" | "preview" | "prefetch" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
          rule?: string;
          link_id?: string;
          limit?: number;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Breakdown"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaIsoTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Webhook"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        url: string;
        /** Event types that the endpoint subscribes to, or `*` for all of them. */
        events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
        description?: string;
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["WebhookWithSecret"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Webhook"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        url?: string;
        /** Event types that the endpoint subscribes to, or `*` for all of them. */
        events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
        description?: string;
        enabled?: boolean;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Webhook"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}/rotate-secret": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody?: { content: { "application/json": {
        /** True if the old secret stops signing at once. */
        immediate?: boolean;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["WebhookWithSecret"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}/test": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Delivery"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictWebhookDisabledReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}/deliveries": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
          status?: "pending" | "retrying" | "delivered" | "failed";
          event_type?: "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
        };
        header?: never;
        path: {
          webhook_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Delivery"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook_id: string;
          delivery_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["DeliveryDetail"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          webhook_id: string;
          delivery_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Delivery"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictWebhookDisabledReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/workspace": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Workspace"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/workspace/usage": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Usage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/workspace/members": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          after?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Member"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/domains": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Domain"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Of links, it is always false without a filter. */
                total_is_capped: boolean;
                /** Value of `before` for the next page. Null at the end of the list. */
                next_before: string | null;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        hostname: string;
        /** Where `/` of the host leads. Null for an error page. */
        root_url?: string | null;
        /** Where unknown addresses of the host lead. Null for an error page. */
        not_found_url?: string | null;
        /** Where links lead that have expired or are disabled. Null for an error page. */
        expired_url?: string | null;
        /** JSON object served at `/.well-known/apple-app-site-association`, which opens links in apps on iOS. At most 128 KiB. */
        apple_app_site_association?: {
          [name: string]: unknown;
        } | null;
        /** JSON array served at `/.well-known/assetlinks.json`, which opens links in apps on Android. At most 128 KiB. */
        assetlinks?: {
          [name: string]: unknown;
        }[] | null;
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Domain"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictDomainTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/domains/{domain_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          domain_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Domain"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          domain_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        409: components["responses"]["ConflictDomainIsPrimary"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          domain_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": {
        /** True makes this the domain in short URLs, instead of the one that was. */
        is_primary?: true;
        /** Where `/` of the host leads. Null for an error page. */
        root_url?: string | null;
        /** Where unknown addresses of the host lead. Null for an error page. */
        not_found_url?: string | null;
        /** Where links lead that have expired or are disabled. Null for an error page. */
        expired_url?: string | null;
        /** JSON object served at `/.well-known/apple-app-site-association`, which opens links in apps on iOS. At most 128 KiB. */
        apple_app_site_association?: {
          [name: string]: unknown;
        } | null;
        /** JSON array served at `/.well-known/assetlinks.json`, which opens links in apps on Android. At most 128 KiB. */
        assetlinks?: {
          [name: string]: unknown;
        }[] | null;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Domain"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        404: components["responses"]["NotFound"];
        409: components["responses"]["ConflictDomainNotActive"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    trace?: never;
  };
  "/v1/domains/{domain_id}/verify": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          domain_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Domain"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Accepted input that probably does not do what was meant, with its path. Absent if there is none. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictDomainTakenReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/audit": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          before?: string;
          resource_type?: "link" | "qr_template" | "bio_page" | "asset" | "webhook" | "domain" | "key" | "member" | "group" | "scim_token" | "session" | "workspace";
          resource?: string;
          actor?: string;
          operation?: string;
          from?: string;
          to?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["AuditEntry"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Of links, it is always false without a filter. */
                total_is_capped: boolean;
                /** Value of `before` for the next page. Null at the end of the list. */
                next_before: string | null;
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["Forbidden"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/session": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: {
          "X-SVC-Workspace"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["CurrentSession"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header: {
          "X-SVC-Workspace": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sessions": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: {
          "X-SVC-Workspace"?: string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Session"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/sessions/{session_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header: {
          "X-SVC-Workspace": string;
        };
        path: {
          session_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/keys": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header: {
          "X-SVC-Workspace": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Key"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "Idempotency-Key"?: string;
          "X-SVC-Workspace": string;
        };
        path?: never;
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["NewKey"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["MadeKey"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequiredReplayable"];
        409: components["responses"]["ConflictKeyLimitExceededReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/keys/{key_id}/rotate": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: {
        query?: never;
        header: {
          "Idempotency-Key"?: string;
          "X-SVC-Workspace": string;
        };
        path: {
          key_id: string;
        };
        cookie?: never;
      };
      requestBody?: { content: { "application/json": components["schemas"]["KeyRotation"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["MadeKey"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequiredReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictKeyLimitExceededOrKeyNotActiveReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/keys/{key_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header: {
          "X-SVC-Workspace": string;
        };
        path: {
          key_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Deleted"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenSessionRequired"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequests"];
        500: components["responses"]["InternalServerError"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/healthz": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              status: "ok";
            };
          };
        };
        403: components["responses"]["ForbiddenKeyless"];
        405: components["responses"]["MethodNotAllowedKeyless"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/openapi.json": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              [name: string]: unknown;
            };
          };
        };
        403: components["responses"]["ForbiddenKeyless"];
        405: components["responses"]["MethodNotAllowedKeyless"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/docs": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "text/html": string;
          };
        };
        403: components["responses"]["ForbiddenKeyless"];
        405: components["responses"]["MethodNotAllowedKeyless"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/docs/links.schema.json": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/schema+json": {
              [name: string]: unknown;
            };
          };
        };
        403: components["responses"]["ForbiddenKeyless"];
        405: components["responses"]["MethodNotAllowedKeyless"];
      };
    };
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/uploads/{workspace_id}/{asset_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put: {
      parameters: {
        query: {
          size: number;
          type: string;
          expires: number;
          signature: string;
        };
        header?: never;
        path: {
          workspace_id: string;
          asset_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content?: never;
        };
        400: components["responses"]["BadRequestKeyless"];
        403: components["responses"]["ForbiddenInvalidUploadUrlOrExpiredUploadUrlKeyless"];
        404: components["responses"]["NotFoundKeyless"];
        405: components["responses"]["MethodNotAllowedKeyless"];
        409: components["responses"]["ConflictAssetAlreadyUploadedKeyless"];
        413: components["responses"]["ContentTooLargeKeyless"];
        415: components["responses"]["UnsupportedMediaTypeKeyless"];
        500: components["responses"]["InternalServerErrorKeyless"];
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}

export interface components {
  schemas: {
    Asset: {
      id: string;
      filename: string;
      mime_type: string;
      /** Size in bytes. */
      file_size: number;
      status: "pending" | "confirmed";
      is_public: boolean;
      /** URL on the CDN; null until the asset is published. */
      public_url: string | null;
      tags: string[];
      created_at: string;
      updated_at: string;
    };
    AssetPublishedEvent: {
      event: "asset.published";
      /** Time of the event. */
      timestamp: string;
      data: {
        asset_id: string;
        filename: string;
        public_url: string;
      };
    };
    AssetUploadedEvent: {
      event: "asset.uploaded";
      /** Time of the event. */
      timestamp: string;
      data: {
        asset_id: string;
        filename: string;
        mime_type: string;
        file_size: number;
      };
    };
    AuditEntry: {
      id: string;
      at: string;
      /** Who made the change: an API key, a person, the operator of the service (`admin`) or an identity provider (`scim`). */
      actor: {
        type: "key" | "person" | "admin" | "scim";
        id: string;
        /** Name at the time of the change, which stays when the actor is gone. That of an identity provider is the public part of its SCIM token. */
        name: string;
      };
      /** `operationId` of this API, the words of the operator's command, or what people and identity providers do elsewhere: `signInByLink`, `updateScimUser`. */
      operation: string;
      resource: {
        type: "link" | "qr_template" | "bio_page" | "asset" | "webhook" | "domain" | "key" | "member" | "group" | "scim_token" | "session" | "workspace";
        id: string;
      };
      /** Value before and after the change, for each field that it changed. A creation has null before, a deletion null after, for each field with a value. Secrets are shown as `…`, and very large values as `{"omitted_bytes": n}`. */
      changes: {
        [name: string]: unknown[];
      };
      /** Id of the request, as in its response. */
      request_id: string;
    };
    BioPage: {
      id: string;
      title: string;
      description: string;
      slug: string;
      /** Content as it was sent, with date-times in UTC. */
      page_data: {
        [name: string]: unknown;
      };
      is_published: boolean;
      published_at: string | null;
      view_count: number;
      click_count: number;
      html_url: string;
      created_at: string;
      updated_at: string;
    };
    BioPublishedEvent: {
      event: "bio.published";
      /** Time of the event. */
      timestamp: string;
      data: {
        page_id: string;
        slug: string;
        title: string;
        html_url: string;
      };
    };
    BioUnpublishedEvent: {
      event: "bio.unpublished";
      /** Time of the event. */
      timestamp: string;
      data: {
        page_id: string;
        slug: string;
        title: string;
        html_url: string;
      };
    };
    Breakdown: {
      by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic";
      /** Values in descending order of scans. */
      items: {
        /** Value of the dimension. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; referrer: host of the page that held the link; rule: name of the routing rule that chose the destination, or its number (`#1`); link: id of the link, also of a deleted one; traffic: class of the requests. A missing value is `unknown`, a missing referrer `direct`, and a scan without a matching rule `default`. From a day with more than 200 values of a dimension, those that came last are `other`. */
        value: string;
        scans: number;
        /** Only with `by=link`: short code of the link, null if it is deleted. */
        short_code?: string | null;
        /** Only with `by=link`: default destination of the link, null if it is deleted. */
        destination?: string | null;
      }[];
    };
    BulkError: {
      /** Index of the faulty item, from 0. */
      index: number;
      error: "conflict" | "validation_error" | "plan_limit_exceeded" | "feature_not_available";
      message: string;
    };
    CurrentSession: {
      id: string;
      email: string;
      name: string;
      created_at: string;
      /** Time at which the session ends if it is not used again. */
      expires_at: string;
      workspace: components["schemas"]["SessionWorkspace"];
      role: "owner" | "editor" | "viewer";
      /** Scopes of the role in the workspace. `*` is everything. */
      scopes: string[];
      /** Workspaces that list the person as an active member, in the order of joining. */
      workspaces: components["schemas"]["Membership"][];
    };
    Deleted: {
      id: string;
      deleted: true;
    };
    Delivery: {
      id: string;
      status: "pending" | "retrying" | "delivered" | "failed";
      event_type: "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
      created_at: string;
      delivered_at: string | null;
      failed_at: string | null;
      attempts: number;
      /** HTTP status of the last attempt; null if there was no response. */
      response_status: number | null;
    };
    DeliveryDetail: {
      id: string;
      status: "pending" | "retrying" | "delivered" | "failed";
      event_type: "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
      created_at: string;
      delivered_at: string | null;
      failed_at: string | null;
      attempts: number;
      /** HTTP status of the last attempt; null if there was no response. */
      response_status: number | null;
      /** Request body of the delivery. */
      payload: {
        [name: string]: unknown;
      };
      /** The last 50 attempts, oldest first. */
      attempts_log: {
        attempted_at: string;
        response_status: number | null;
        latency_ms: number;
        /** Reason for a missing response. */
        error: string | null;
        /** Beginning of the response body: 1 KiB of a success, 16 KiB of a failure. */
        response_body: string | null;
      }[];
    };
    Domain: {
      id: string;
      hostname: string;
      /** True for the domain in short URLs. */
      is_primary: boolean;
      root_url: string | null;
      not_found_url: string | null;
      expired_url: string | null;
      apple_app_site_association: {
        [name: string]: unknown;
      } | null;
      assetlinks: {
        [name: string]: unknown;
      }[] | null;
      /** `pending` until the TXT record `_signpost.{hostname}` has been found to hold the id of the domain. Only active domains serve links. */
      status: "pending" | "active";
      created_at: string;
    };
    ExplainedRule: {
      /** Name of the rule, or its number from 1. */
      name: string;
      /** True if all conditions hold. The first such rule decides. */
      matched: boolean;
      /** First condition that does not hold: a key of `when`, or `split` for the rest of its shares. Null if the rule matches. */
      failed: string | null;
      /** Value that the condition was compared with. Null if it is unknown, or if the rule matches. */
      seen: string | null;
    };
    FieldFault: {
      field: string;
      message: string;
    };
    Key: {
      id: string;
      /** Characters that follow `svc_pk_` in the key. */
      prefix: string;
      name: string;
      scopes: string[];
      expires_at: string | null;
      /** Time from which the key is refused. It lies ahead while a rotated key still works. */
      revoked_at: string | null;
      /** Id of the key that a rotation made. */
      replaced_by: string | null;
      /** Day of the last use, in UTC. */
      last_used_on: string | null;
      created_at: string;
    };
    KeyRotation: {
      /** Hours for which the former key works beside the new one. */
      overlap_hours?: number;
    };
    Link: {
      id: string;
      short_url: string;
      short_code: string;
      destination: string;
      enabled: boolean;
      labels: string[];
      routing_rules: components["schemas"]["RoutingRule"][];
      scan_count: number;
      last_scan_at: string | null;
      expires_at: string | null;
      title: string | null;
      note: string | null;
      archived: boolean;
      starts_at: string | null;
      early_url: string | null;
      expired_url: string | null;
      max_scans: number | null;
      /** True if visitors are asked for a password. */
      has_password: boolean;
      preview: components["schemas"]["LinkPreview"] | null;
      forward_query: boolean;
      imported_scans: number;
      created_at: string;
      updated_at: string;
    };
    LinkCreatedEvent: {
      event: "link.created";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
      };
    };
    LinkDeletedEvent: {
      event: "link.deleted";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
        enabled: boolean;
        title: string | null;
        note: string | null;
        archived: boolean;
        starts_at: string | null;
        expires_at: string | null;
        early_url: string | null;
        expired_url: string | null;
        max_scans: number | null;
        has_password: boolean;
        preview: {
          title: string | null;
          description: string | null;
          image_url: string | null;
        } | null;
        forward_query: boolean;
        imported_scans: number;
      };
    };
    LinkPreview: {
      title: string | null;
      description: string | null;
      image_url: string | null;
    };
    LinkScannedEvent: {
      event: "link.scanned";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
        scanned_at: string;
        country: string | null;
        device: string | null;
        os: string | null;
        browser: string | null;
        referrer: string | null;
      };
    };
    LinkUpdatedEvent: {
      event: "link.updated";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
        enabled: boolean;
        title: string | null;
        note: string | null;
        archived: boolean;
        starts_at: string | null;
        expires_at: string | null;
        early_url: string | null;
        expired_url: string | null;
        max_scans: number | null;
        has_password: boolean;
        preview: {
          title: string | null;
          description: string | null;
          image_url: string | null;
        } | null;
        forward_query: boolean;
        imported_scans: number;
      };
    };
    MadeKey: {
      id: string;
      /** Characters that follow `svc_pk_` in the key. */
      prefix: string;
      name: string;
      scopes: string[];
      expires_at: string | null;
      /** Time from which the key is refused. It lies ahead while a rotated key still works. */
      revoked_at: string | null;
      /** Id of the key that a rotation made. */
      replaced_by: string | null;
      /** Day of the last use, in UTC. */
      last_used_on: string | null;
      created_at: string;
      /** The key. It is shown only here, because the service stores only a hash of its secret. */
      key: string;
    };
    Member: {
      id: string;
      email: string;
      name: string;
      role: "owner" | "editor" | "viewer";
    };
    Membership: {
      id: string;
      /** Value of `X-SVC-Workspace`. */
      slug: string;
      name: string;
      plan: "free" | "pro" | "business" | "enterprise";
      role: "owner" | "editor" | "viewer";
    };
    MonthlyQuotaIsoTime: {
      /** Number of calls left this month. */
      remaining: number;
      /** Start of the next month. */
      reset_at: string;
    };
    MonthlyQuotaUnixTime: {
      /** Number of calls per month. */
      limit: number;
      /** Number of calls left this month. */
      remaining: number;
      /** Start of the next month, as Unix time in seconds. */
      reset: number;
    };
    NewAsset: {
      filename: string;
      mime_type: string;
      /** Size in bytes, 95.4 MiB at most. */
      file_size: number;
      tags?: string[];
    };
    NewKey: {
      name: string;
      /** Scopes of the key. `*` includes every scope. */
      scopes: ("*" | "links:read" | "links:write" | "qr:render" | "qr:read" | "qr:write" | "analytics:read" | "assets:read" | "assets:write" | "bio:read" | "bio:write" | "workspace:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "audit:read")[];
      /** Time from which the key is refused. Null for never. */
      expires_at?: string | null;
    };
    NewLink: {
      /** Address that the link redirects to, unless a routing rule chooses another one. */
      url?: string;
      /** Other name of `url`, the one that responses use. If both are given, they must be equal. */
      destination?: string;
      /** Short code of the link. If absent, a code of 7 characters is generated. */
      custom_slug?: string;
      labels?: string[];
      routing_rules?: components["schemas"]["NewRoutingRule"][];
      /** Time from which the short address returns 410. A past time is accepted. */
      expires_at?: string;
      /** Name of the link for people. Searches find it. */
      title?: string | null;
      /** Note for people. */
      note?: string | null;
      /** Lists leave archived links out unless asked. They redirect on. */
      archived?: boolean | null;
      /** Time from which the link redirects. Before it, the short address leads to `early_url`, and without one it is as unknown. */
      starts_at?: string | null;
      /** Address that the link leads to before `starts_at`. These visits are no scans. */
      early_url?: string | null;
      /** Address that the link leads to instead of a 410 once it has expired or while it is disabled. These visits are no scans. */
      expired_url?: string | null;
      /** Number of scans of people after which the link leads nowhere any more, counted over its whole life. Exactly so many are redirected. */
      max_scans?: number | null;
      /** Password that visitors are asked for. It is stored as a hash and never returned; see `has_password`. */
      password?: string | null;
      /** Hash of the password of an imported link, instead of `password`: `pbkdf2-sha256$rounds$salt$hash` with salt and hash in Base64, or `sink-pwd:v1:…` as Sink exports it. 1,000 to 100,000 rounds. Never returned. */
      password_hash?: string;
      /** Title, text and image that previews of the link show in chats and social networks, instead of those of its destination. */
      preview?: {
        title: string;
        description?: string | null;
        image_url?: string | null;
      } | null;
      /** True if the visitor's query parameters are added to the destination. Those of the destination with the same name are replaced. */
      forward_query?: boolean | null;
      /** Number of scans that another service counted before an import. `scan_count` never has them. */
      imported_scans?: number | null;
      /** Time at which an imported link was created. Lists have the order of this time. A time up to 5 minutes in the future, from a clock that is ahead, becomes the current time; a later one is refused. */
      created_at?: string;
    };
    NewRoutingRule: {
      name?: string;
      when?: {
        country?: string[];
        continent?: ("AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA")[];
        region?: string[];
        device?: ("mobile" | "tablet" | "desktop")[];
        os?: ("ios" | "android" | "windows" | "macos" | "linux" | "chromeos")[];
        browser?: ("chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung")[];
        language?: string[];
        query?: {
          [name: string]: string[] | true;
        };
        after?: string;
        before?: string;
        percent?: number;
      };
      destination?: string;
      /** Refuses these visitors with 451 instead of redirecting them. */
      block?: true;
      /** Sends each visitor to one of these destinations, always to the same. The shares have at most 100 percent together; the rest goes to the next rule. Without `when`, all visitors are divided. */
      split?: {
        name?: string;
        destination: string;
        percent: number;
      }[];
    } & ({
      when: unknown;
      destination: unknown;
    } | {
      when: unknown;
      block: unknown;
    } | {
      split: unknown;
    });
    PageBreakdown: {
      metric: "views" | "clicks";
      by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic";
      /** Values in descending order of their count. */
      items: {
        /** As in `GET /v1/analytics/breakdown`; link: destination of the click. */
        value: string;
        count: number;
      }[];
    };
    PageData: {
      /** Name of the theme: auto, paper, ink, sunrise, mono or contrast. Any other name is shown as auto. */
      theme?: string;
      /** Language of the page, which screen readers use and which gives its direction. Default: guessed from the script of the title, else en. */
      lang?: string;
      avatar_url?: string;
      avatar_alt?: string;
      style?: {
        accent?: string;
        background?: string;
        text?: string;
        button?: "solid" | "outline" | "soft";
        radius?: "none" | "md" | "full";
        [name: string]: unknown;
      };
      links?: {
        label: string;
        /** Required unless `type` is `heading`. */
        url?: string;
        type?: "link" | "heading";
        highlight?: boolean;
        enabled?: boolean;
        starts_at?: string;
        ends_at?: string;
        [name: string]: unknown;
      }[];
      socials?: {
        /** Name of the network. A network without an icon of its own gets a globe. */
        network: string;
        url: string;
        [name: string]: unknown;
      }[];
      seo?: {
        title?: string;
        description?: string;
        image_url?: string;
        noindex?: boolean;
        [name: string]: unknown;
      };
      [name: string]: unknown;
    };
    PageTimeseries: {
      metric: "views" | "clicks";
      interval: "hour" | "day" | "week" | "month";
      /** Every bucket of the range in order, including those without visits. */
      points: {
        /** Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z`, which with `time_zone` ends with the zone's offset instead. */
        date: string;
        count: number;
      }[];
    };
    PresignedAsset: {
      id: string;
      filename: string;
      mime_type: string;
      /** Size in bytes. */
      file_size: number;
      status: "pending" | "confirmed";
      is_public: boolean;
      /** URL on the CDN; null until the asset is published. */
      public_url: string | null;
      tags: string[];
      created_at: string;
      updated_at: string;
      upload: {
        method: "PUT";
        url: string;
        headers: {
          [name: string]: string;
        };
        expires_at: string;
      };
    };
    QrDesign: {
      /** Colour of the dark modules. Its contrast ratio (WCAG 2.2) to the background must be at least 2. Default: #000000. */
      foreground_color?: string;
      /** Colour of the light modules and the quiet zone. Default: #FFFFFF. */
      background_color?: string;
      /** Colour of the finder patterns. It needs the same contrast as `foreground_color`, and must not be much lighter or darker. Default: `foreground_color`. */
      corner_color?: string;
      /** Minimum error correction level. Default: M. */
      error_correction?: "L" | "M" | "Q" | "H";
      /** Shape of the dots. Default: square. */
      dot_style?: "square" | "rounded" | "dots" | "classy" | "classy-rounded" | "extra-rounded";
      /** Shape of the finder patterns. Default: square. */
      corner_style?: "square" | "rounded" | "dot" | "extra-rounded";
      /** URL of a PNG, JPEG, GIF or WebP image of at most 1 MiB and 4,096 pixels per side: a public https URL, or the `public_url` of an asset, which is read from storage. For PNG and PDF, an image has at most 1,048,576 pixels in all; a JPEG in a PDF and any image in an SVG may have more. A WebP has at most 360,000 pixels in every format. */
      logo_url?: string;
      /** Side of the logo as a share of the symbol's side. Default: 0.2. */
      logo_size?: number;
      /** Width of the quiet zone in modules. Default: 1. */
      quiet_zone?: number;
    };
    QrTemplate: {
      id: string;
      name: string;
      description: string;
      design: components["schemas"]["QrDesign"];
      created_at: string;
      updated_at: string;
    };
    ResolvedLink: {
      /** HTTP status that the visitor gets. */
      status: number;
      /** `found`: redirected, which is a scan of a person. `early`: redirected to `early_url`. `expired`: redirected to `expired_url`. `gone`: disabled, expired or without scans left. `preview`: the link's own preview, for a fetcher. `password`: the form for the password. `held`: the page that says to open the link in a browser, which programs get of a link with `max_scans`. `blocked`: by a rule. `unknown`: no link yet, or its destination could redirect in a circle. Where the primary domain has an address for `gone` or `unknown`, the visitor is redirected to it. */
      outcome: "found" | "early" | "expired" | "gone" | "preview" | "password" | "held" | "blocked" | "unknown";
      /** Address that the visitor is sent to, with forwarded parameters. */
      destination: string | null;
      /** Rule or share that decided, as analytics name it. Null if none did. */
      rule: string | null;
      /** Every rule of the link, in order, also those after the deciding one. */
      rules: components["schemas"]["ExplainedRule"][];
      /** Time of the visit that was assumed. */
      at: string;
    };
    RoutingRule: {
      name?: string;
      when: {
        [name: string]: unknown;
      };
      destination?: string;
      block?: true;
      split?: components["schemas"]["SplitShare"][];
    };
    Session: {
      id: string;
      /** Browser and operating system. */
      user_agent: string;
      /** True for the session of this request. */
      is_current: boolean;
      created_at: string;
      /** Time of the last use, to the day. */
      last_seen_at: string;
      /** Time at which the session ends if it is not used again. */
      expires_at: string;
    };
    SessionWorkspace: {
      id: string;
      /** Value of `X-SVC-Workspace`. */
      slug: string;
      name: string;
      plan: "free" | "pro" | "business" | "enterprise";
    };
    SplitShare: {
      name?: string;
      destination: string;
      percent: number;
    };
    Timeseries: {
      interval: "hour" | "day" | "week" | "month";
      /** Every bucket of the range in order, including those without scans. Scans outside the range are not counted. */
      points: {
        /** Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z`, which with `time_zone` ends with the zone's offset instead. */
        date: string;
        scans: number;
      }[];
    };
    Usage: {
      plan: "free" | "pro" | "business" | "enterprise";
      usage: {
        links_created_this_month: number;
        api_calls_this_month: number;
        total_links: number;
        total_qr_templates: number;
        total_bio_pages: number;
        storage_bytes: number;
        storage_mb: number;
      };
      limits: {
        links_per_month: number;
        dynamic_qr: number;
        bio_pages: number;
        storage_mb: number;
        api_calls_per_month: number;
        qr_templates: number;
      };
      features: {
        routing_rules: boolean;
        csv_export: boolean;
        bulk_ops: boolean;
        ad_free: boolean;
      };
    };
    VisitorDescription: {
      /** Country, as rules have it. If absent, that of `region`. */
      country?: string;
      region?: string;
      continent?: "AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA";
      /** If absent, that of `user_agent`; so with `os` and `browser`. */
      device?: "mobile" | "tablet" | "desktop";
      os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos";
      browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung";
      /** Accepted languages, preferred ones first. */
      languages?: string[];
      /** Parameters of the short URL. */
      query?: {
        [name: string]: string | string[];
      };
      /** Time of the visit. If absent, now. */
      at?: string;
      /** `User-Agent` header. Shares depend on it. */
      user_agent?: string;
      /** Address of the visitor, as `CF-Connecting-IP` has it. Shares depend on it. */
      ip?: string | string;
    };
    Webhook: {
      id: string;
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
      /** Number of events that were not delivered to the endpoint, because as many deliveries of the workspace waited as its plan allows. Such scans are counted in analytics. */
      skipped_count: number;
      /** Time at which an event was last skipped; null if none was. */
      skipped_at: string | null;
    };
    WebhookDisabledEvent: {
      event: "webhook.disabled";
      /** Time of the event. */
      timestamp: string;
      data: {
        webhook_id: string;
        url: string;
        disabled_at: string;
      };
    };
    WebhookTestEvent: {
      event: "webhook.test";
      /** Time of the event. */
      timestamp: string;
      data: {
        webhook_id: string;
      };
    };
    WebhookWithSecret: {
      id: string;
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
      /** Number of events that were not delivered to the endpoint, because as many deliveries of the workspace waited as its plan allows. Such scans are counted in analytics. */
      skipped_count: number;
      /** Time at which an event was last skipped; null if none was. */
      skipped_at: string | null;
      /** Signing secret of the deliveries. It is shown only once. */
      secret: string;
    };
    Workspace: {
      id: string;
      name: string;
      description: string;
      plan: "free" | "pro" | "business" | "enterprise";
      created_at: string;
    };
  };
  responses: {
    "BadRequest": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "VALIDATION_ERROR";
            message: string;
            status: 400;
            details?: components["schemas"]["FieldFault"][];
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "BadRequestKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "VALIDATION_ERROR";
            message: string;
            status: 400;
            details?: components["schemas"]["FieldFault"][];
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "BadRequestLowercase": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "validation_error";
            message: string;
            status: 400;
            details?: components["schemas"]["FieldFault"][];
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "BadRequestReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "VALIDATION_ERROR";
            message: string;
            status: 400;
            details?: components["schemas"]["FieldFault"][];
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictAssetAlreadyUploadedKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ASSET_ALREADY_UPLOADED";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictAssetNotConfirmedReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ASSET_NOT_CONFIRMED" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictAssetNotUploadedReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ASSET_NOT_UPLOADED" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictDomainIsPrimary": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "DOMAIN_IS_PRIMARY";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictDomainNotActive": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "DOMAIN_NOT_ACTIVE";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictDomainTakenReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "DOMAIN_TAKEN" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictEntryNotRevertibleReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ENTRY_NOT_REVERTIBLE" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictKeyLimitExceededOrKeyNotActiveReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "KEY_LIMIT_EXCEEDED" | "KEY_NOT_ACTIVE" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictKeyLimitExceededReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "KEY_LIMIT_EXCEEDED" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictSlugTakenReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "SLUG_TAKEN" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictWebhookDisabledReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "WEBHOOK_DISABLED" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ContentTooLarge": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "PAYLOAD_TOO_LARGE";
            message: string;
            status: 413;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ContentTooLargeKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "PAYLOAD_TOO_LARGE";
            message: string;
            status: 413;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "Forbidden": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenInvalidUploadUrlOrExpiredUploadUrlKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INVALID_UPLOAD_URL" | "EXPIRED_UPLOAD_URL" | "HTTPS_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "HTTPS_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenPlanLimitExceeded": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "PLAN_LIMIT_EXCEEDED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenPlanLimitExceededReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "PLAN_LIMIT_EXCEEDED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenSessionRequired": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "SESSION_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenSessionRequiredReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "SESSION_REQUIRED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "InternalServerError": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INTERNAL_ERROR";
            message: string;
            status: 500;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "InternalServerErrorKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INTERNAL_ERROR";
            message: string;
            status: 500;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "MethodNotAllowedKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "METHOD_NOT_ALLOWED";
            message: string;
            status: 405;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "NotFound": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RESOURCE_NOT_FOUND";
            message: string;
            status: 404;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "NotFoundKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RESOURCE_NOT_FOUND";
            message: string;
            status: 404;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "NotFoundLowercase": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "not_found";
            message: string;
            status: 404;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "NotFoundReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RESOURCE_NOT_FOUND";
            message: string;
            status: 404;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ServiceUnavailable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "WORKSPACE_MOVING";
            message: string;
            status: 503;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "TooManyRequests": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RATE_LIMIT_EXCEEDED" | "BURST_LIMIT_EXCEEDED";
            message: string;
            status: 429;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "TooManyRequestsDeliveryBacklog": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RATE_LIMIT_EXCEEDED" | "BURST_LIMIT_EXCEEDED" | "DELIVERY_BACKLOG";
            message: string;
            status: 429;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "Unauthorized": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INVALID_API_KEY" | "REVOKED_API_KEY" | "EXPIRED_API_KEY" | "INVALID_SESSION";
            message: string;
            status: 401;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "UnprocessableContent": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 422;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "UnsupportedMediaType": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "UNSUPPORTED_MEDIA_TYPE";
            message: string;
            status: 415;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "UnsupportedMediaTypeKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "UNSUPPORTED_MEDIA_TYPE";
            message: string;
            status: 415;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
  };
}
