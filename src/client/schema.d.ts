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
          deleted?: boolean;
          codes?: string;
          external_id?: string;
          label?: string;
          enabled?: boolean;
          archived?: "false" | "true" | "all";
          domain?: string;
          destination_status?: "ok" | "broken";
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
                total_is_capped: boolean;
                /** Value of `before` for the next page. Null at the end of the list. */
                next_before: string | null;
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        503: components["responses"]["ServiceUnavailable"];
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        409: components["responses"]["ConflictSlugTakenOrAliasTakenOrExternalIdTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsExportInProgress"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
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
        links: components["schemas"]["LinkUpdate"][];
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: {
                updated: components["schemas"]["Link"][];
                errors: components["schemas"]["BulkUpdateError"][];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
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
        403: components["responses"]["ForbiddenLinkBanned"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    trace?: never;
  };
  "/v1/links/external/{external_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          external_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["NewLink"] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
                warnings?: string[];
              };
            };
          };
        };
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededOrLinkBanned"];
        404: components["responses"]["NotFound"];
        409: components["responses"]["ConflictSlugTakenOrAliasTakenOrAliasLimitExceededOrExternalIdTaken"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: {
          permanent?: boolean;
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
        403: components["responses"]["ForbiddenLinkBanned"];
        404: components["responses"]["NotFound"];
        429: components["responses"]["TooManyRequestsDeliveryBacklog"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        /** URL that the link redirects to, unless a routing rule matches. */
        url?: string;
        /** Alias of `url`, and the name used in responses. If both are sent, they must be equal. */
        destination?: string;
        labels?: string[];
        /** Further paths of the link, for example printed codes of another service. Given as text, not percent-encoded. They match exactly, including case; a path with one trailing slash is the same path. Former short codes match in any case. An alias must be unique in the workspace. */
        aliases?: string[] | null;
        enabled?: boolean;
        routing_rules?: components["schemas"]["NewRoutingRule"][];
        expires_at?: string | null;
        /** Title shown in lists. Included in `search`. */
        title?: string | null;
        /** Internal note. Never shown to visitors. */
        note?: string | null;
        /** Archived links are hidden from lists by default. They still redirect. */
        archived?: boolean | null;
        /** Time from which the link redirects. Before that, visitors are redirected to `early_url`, or get a 404 if it is not set. */
        starts_at?: string | null;
        /** URL that visitors are redirected to before `starts_at`. These visits are not counted as scans. */
        early_url?: string | null;
        /** URL that visitors are redirected to, instead of a 410, when the link has expired or is disabled. These visits are not counted as scans. */
        expired_url?: string | null;
        /** Maximum number of scans over the lifetime of the link. Further visitors are not redirected. The limit is exact. */
        max_scans?: number | null;
        /** Password that visitors must enter. It is stored as a hash and never returned; see `has_password`. */
        password?: string | null;
        /** Title, description and image shown when the link is shared in chats and on social networks, instead of the destination's own preview. */
        preview?: {
          title: string;
          description?: string | null;
          image_url?: string | null;
        } | null;
        /** True if query parameters of the short URL are added to the destination. They replace parameters of the destination with the same name. */
        forward_query?: boolean | null;
        /** True if every visitor except link previews gets a page with a button before the redirect. Only pressing it counts as a scan. */
        confirm?: boolean | null;
        /** ID of the link in your own system. Unique in the workspace. */
        external_id?: string | null;
        /** QR template of the workspace with the design of the link's QR code. If the template is deleted later, the code has the default design. */
        qr_template_id?: string | null;
        /** Number of scans that another service counted before the import. Not included in `scan_count`. */
        imported_scans?: number | null;
        /** New short code. The old one becomes an alias, so that what is printed keeps working. */
        custom_slug?: string;
        /** False if the old short code should stop working. Only with `custom_slug`. */
        keep_old_code?: boolean;
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequest"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenLinkBanned"];
        404: components["responses"]["NotFound"];
        409: components["responses"]["ConflictSlugTakenOrAliasTakenOrAliasLimitExceededOrExternalIdTaken"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
                warnings?: string[];
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenLinkBannedReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictEntryNotRevertibleOrSlugTakenOrAliasTakenOrAliasLimitExceededOrExternalIdTakenReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/links/{link_id}/restore": {
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
      requestBody?: { content: { "application/json": {
        /** Short code in place of the deleted link's code. */
        custom_slug?: string;
        /** Aliases in place of the deleted link's aliases. */
        aliases?: string[] | null;
        /** ID in place of the deleted link's `external_id`. */
        external_id?: string | null;
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
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictSlugTakenOrAliasTakenOrExternalIdTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          compact?: boolean;
          frame_style?: "text" | "label-below" | "label-above" | "border" | "balloon";
          frame_text?: string;
          frame_color?: string;
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        /** Text, or an object for a Wi-Fi login, contact, email, phone number, text message, place or event. */
        content: string | components["schemas"]["WifiContent"] | components["schemas"]["VcardContent"] | components["schemas"]["EmailContent"] | components["schemas"]["PhoneContent"] | components["schemas"]["SmsContent"] | components["schemas"]["PlaceContent"] | components["schemas"]["EventContent"];
        /** Image format. */
        format?: "svg" | "png" | "pdf";
        /** Width of a module in pixels, for SVG and PNG. In an SVG, these are CSS pixels. Default: 10, unless `width` is set. In a PNG, the logo can be at most 512 pixels wide, which lowers the maximum. */
        size?: number;
        /** Width of the whole image in pixels, for SVG and PNG, instead of `size`. In a PNG, each module has the largest whole number of pixels possible, at least 2, and the remaining pixels widen the quiet zone. In a PNG, the logo can be at most 512 pixels wide, which limits `width` to about 2,500 with `logo_size` 0.2, and to about 1,300 with 0.4. */
        width?: number;
        /** Width of the page in millimetres, for PDF. Default: 40. */
        width_mm?: number;
        /** Template with the design to use. Members of `design` replace its members. */
        template_id?: string;
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
        404: components["responses"]["NotFound"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          deleted?: boolean;
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: {
          permanent?: boolean;
        };
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          compact?: boolean | null;
          frame?: components["schemas"]["QrFrame"] | null;
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    trace?: never;
  };
  "/v1/qr/templates/{template_id}/restore": {
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
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
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
          deleted?: boolean;
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
        /** Path of the page on the bio page host, which all workspaces share. Cannot be changed. Default: derived from the title, with a random suffix if already taken. */
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: {
          permanent?: boolean;
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        /** New content of the page, which replaces all of the old content. To change parts of it, use `page_data_patch`. */
        page_data?: components["schemas"]["PageData"];
        /** Changes to parts of `page_data`, as a JSON Merge Patch (RFC 7396): objects are merged, null removes a field, and arrays such as `links` are replaced as a whole. The result is validated like `page_data`. Cannot be combined with `page_data`. */
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    trace?: never;
  };
  "/v1/bio/pages/{page_id}/restore": {
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
      requestBody?: { content: { "application/json": {
        /** Path of the page in place of its own, which another page may have taken. */
        slug?: string;
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
              };
            };
          };
        };
        400: components["responses"]["BadRequestReplayable"];
        401: components["responses"]["Unauthorized"];
        403: components["responses"]["ForbiddenPlanLimitExceededReplayable"];
        404: components["responses"]["NotFoundReplayable"];
        409: components["responses"]["ConflictSlugTakenReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          traffic?: "human" | "bot" | "preview" | "prefetch" | "scanner" | "all";
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
          traffic?: "human" | "bot" | "preview" | "prefetch" | "scanner" | "all";
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          traffic?: "human" | "bot" | "preview" | "prefetch" | "scanner" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
          rule?: string;
          source?: "link" | "qr" | "page";
          utm_source?: string;
          utm_medium?: string;
          utm_campaign?: string;
          link_id?: string;
          label?: string;
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
  "/v1/analytics/breakdown": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query: {
          by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic" | "source" | "utm_source" | "utm_medium" | "utm_campaign";
          from_date?: string;
          to_date?: string;
          time_zone?: string;
          traffic?: "human" | "bot" | "preview" | "prefetch" | "scanner" | "all";
          country?: string;
          region?: string;
          device?: "mobile" | "tablet" | "desktop" | "unknown";
          os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos" | "unknown";
          browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung" | "unknown";
          referrer?: string;
          language?: string;
          rule?: string;
          source?: "link" | "qr" | "page";
          utm_source?: string;
          utm_medium?: string;
          utm_campaign?: string;
          link_id?: string;
          label?: string;
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
  "/v1/reports": {
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
              data: components["schemas"]["Report"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
      requestBody: { content: { "application/json": components["schemas"]["NewReport"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Report"];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/reports/{report_id}": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post?: never;
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          report_id: string;
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
  "/v1/webhooks": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          before?: string;
          recent?: number;
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
              data: components["schemas"]["ListedWebhook"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["MonthlyQuotaUnixTime"];
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
        events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        events?: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        /** Set to true to stop using the old secret immediately. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          event_type?: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsDeliveryBacklogOrQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
  "/v1/members/invitations": {
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
              data: components["schemas"]["Invitation"][];
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
        503: components["responses"]["ServiceUnavailable"];
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
      requestBody: { content: { "application/json": components["schemas"]["NewInvitation"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["MadeInvitation"];
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
        409: components["responses"]["ConflictAlreadyAMemberOrInvitationLimitExceededOrMembersManagedByProviderReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/members/invitations/{invitation_id}": {
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
          invitation_id: string;
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/members/{member_id}": {
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
          member_id: string;
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
        409: components["responses"]["ConflictLastOwnerOrMembersManagedByProvider"];
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
        header: {
          "X-SVC-Workspace": string;
        };
        path: {
          member_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["MemberChange"] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Member"];
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
        409: components["responses"]["ConflictLastOwnerOrMembersManagedByProvider"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    trace?: never;
  };
  "/v1/members/{member_id}/recovery": {
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
          member_id: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["MemberRecovery"];
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
        409: components["responses"]["ConflictInvitationLimitExceededOrMembersManagedByProviderReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
        /** URL that the root path `/` redirects to. Null shows an error page. */
        root_url?: string | null;
        /** URL that unknown short URLs redirect to. Null shows an error page. */
        not_found_url?: string | null;
        /** URL that expired or disabled links redirect to. Null shows an error page. */
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        /** Set to true to make this the primary domain, which is used in short URLs. */
        is_primary?: true;
        /** URL that the root path `/` redirects to. Null shows an error page. */
        root_url?: string | null;
        /** URL that unknown short URLs redirect to. Null shows an error page. */
        not_found_url?: string | null;
        /** URL that expired or disabled links redirect to. Null shows an error page. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
                /** Input that was accepted but probably does not do what you intended, with its path. Omitted if there are no warnings. */
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
          resource_type?: "link" | "qr_template" | "bio_page" | "asset" | "webhook" | "domain" | "report" | "key" | "member" | "invitation" | "passkey" | "group" | "scim_token" | "session" | "workspace";
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
                /** Total number of items. */
                total: number;
                limit: number;
                offset: number;
                /** True if there may be more items than `total`. Always false for a list of links without filters. */
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys": {
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
              data: components["schemas"]["Passkey"][];
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
        503: components["responses"]["ServiceUnavailable"];
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
      requestBody: { content: { "application/json": components["schemas"]["NewPasskey"] } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Passkey"];
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
        409: components["responses"]["ConflictPasskeyLimitExceededReplayable"];
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys/options": {
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
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["PasskeyOptions"];
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
        409: components["responses"]["ConflictReplayable"];
        422: components["responses"]["UnprocessableContent"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/v1/passkeys/{passkey_id}": {
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
          passkey_id: string;
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
        503: components["responses"]["ServiceUnavailable"];
      };
    };
    options?: never;
    head?: never;
    patch: {
      parameters: {
        query?: never;
        header: {
          "X-SVC-Workspace": string;
        };
        path: {
          passkey_id: string;
        };
        cookie?: never;
      };
      requestBody: { content: { "application/json": components["schemas"]["PasskeyChange"] } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Passkey"];
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
        413: components["responses"]["ContentTooLarge"];
        415: components["responses"]["UnsupportedMediaType"];
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
      };
    };
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
        503: components["responses"]["ServiceUnavailable"];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        429: components["responses"]["TooManyRequestsQuotaExceeded"];
        500: components["responses"]["InternalServerError"];
        503: components["responses"]["ServiceUnavailableWorkspaceMoving"];
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
        503: components["responses"]["ServiceUnavailable"];
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
        503: components["responses"]["ServiceUnavailableKeyless"];
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
      /** Who made the change: an API key, a person, an administrator (`admin`) or an identity provider (`scim`). */
      actor: {
        type: "key" | "person" | "admin" | "scim";
        id: string;
        /** Name at the time of the change, kept even if the actor is deleted. For an identity provider, the public part of its SCIM token. */
        name: string;
      };
      /** `operationId` of this API, the name of an administrator's command, or an action outside this API, such as `signInByLink` or `updateScimUser`. */
      operation: string;
      resource: {
        type: "link" | "qr_template" | "bio_page" | "asset" | "webhook" | "domain" | "report" | "key" | "member" | "invitation" | "passkey" | "group" | "scim_token" | "session" | "workspace";
        id: string;
      };
      /** Old and new value of each changed field. When a resource is created, all old values are null; when it is deleted, all new values are null. Secrets are shown as `…`, URLs of webhook endpoints without path and query, and values over 2 KiB as `{"omitted_bytes": n}`. The old values of a link are always complete, so that they can be restored. */
      changes: {
        [name: string]: unknown[];
      };
      /** ID of the request, as in its response. */
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
      /** Time of the deletion. Only for items in the trash. */
      deleted_at?: string;
      /** Time after which the item is erased. Only for items in the trash. */
      erase_at?: string;
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
      by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic" | "source" | "utm_source" | "utm_medium" | "utm_campaign";
      /** Values in descending order of scans. */
      items: {
        /** Value of the dimension. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; referrer: host of the page that contained the link; rule: name of the routing rule that matched, or its number (`#1`); link: ID of the link, which may be deleted; traffic: traffic class; source: `qr`, `page` or `link`; utm_source, utm_medium and utm_campaign: decoded parameter of the URL that the visitor was redirected to, or `none`. A missing value is `unknown`, a missing referrer `direct`, and a scan without a matching rule `default`. On a day with more than 200 values for a dimension, further values are counted as `other`. */
        value: string;
        scans: number;
        /** Unique visitors. A visitor is a person with one IP address and browser within a UTC day, and counts once on each day. Null with `interval=hour`, and for traffic other than `human`. */
        visitors: number | null;
        /** True if a number beside this field is an estimate: visitors on days with more than 8,192, or scans with `scans_are: sampled`. Missing if all are exact. */
        estimated?: true;
        /** Only with `by=link`: short code of the link, or null if the link was deleted. */
        short_code?: string | null;
        /** Only with `by=link`: title of the link, or null if it has none or was deleted. */
        title?: string | null;
        /** Only with `by=link`: default destination of the link, or null if the link was deleted. */
        destination?: string | null;
      }[];
      /** Sum of the visitors of all days. Null where visitors are not counted. */
      total_visitors: number | null;
      /** True if `total_visitors` is an estimate. */
      estimated?: true;
      /** `daily`: a visitor counts once on each UTC day, so that weeks, months and totals are sums of days. */
      visitors_are: "daily";
      /** `sampled`: numbers of scans are estimates of Analytics Engine. */
      scans_are: "exact" | "sampled";
    };
    BulkError: {
      /** Index of the invalid item, starting at 0. */
      index: number;
      error: "conflict" | "validation_error" | "plan_limit_exceeded" | "feature_not_available";
      message: string;
    };
    BulkUpdateError: {
      /** Index of the invalid item, starting at 0. */
      index: number;
      error: "not_found" | "link_banned" | "conflict" | "validation_error" | "feature_not_available";
      message: string;
    };
    CurrentSession: {
      id: string;
      email: string;
      name: string;
      created_at: string;
      /** Time at which the session ends if it is not used until then. */
      expires_at: string;
      workspace: components["schemas"]["SessionWorkspace"];
      role: "owner" | "editor" | "viewer";
      /** Scopes of the role in the workspace. `*` includes every scope. */
      scopes: string[];
      /** Workspaces in which the person is an active member, in the order they joined. */
      workspaces: components["schemas"]["Membership"][];
      /** True if the person can sign in with a passkey. */
      has_passkey: boolean;
    };
    Deleted: {
      id: string;
      deleted: true;
    };
    Delivery: {
      id: string;
      status: "pending" | "retrying" | "delivered" | "failed";
      event_type: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
      created_at: string;
      delivered_at: string | null;
      failed_at: string | null;
      attempts: number;
      /** HTTP status of the last attempt, or null if there was no response. */
      response_status: number | null;
    };
    DeliveryDetail: {
      id: string;
      status: "pending" | "retrying" | "delivered" | "failed";
      event_type: "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test";
      created_at: string;
      delivered_at: string | null;
      failed_at: string | null;
      attempts: number;
      /** HTTP status of the last attempt, or null if there was no response. */
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
        /** Reason if there was no response. */
        error: string | null;
        /** Beginning of the response body: 1 KiB if it succeeded, 16 KiB if the first attempt failed, 512 bytes if a retry failed. Null if there was no response, or if the workspace has logged 10 MB of bodies on that day (UTC). */
        response_body: string | null;
      }[];
    };
    Domain: {
      id: string;
      hostname: string;
      /** True for the primary domain, which is used in short URLs. */
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
      /** `pending` until the TXT record `_signpost.{hostname}` with the ID of the domain has been found. Links only work on active domains. */
      status: "pending" | "active";
      /** True if the API is on this domain too. Links can't have its paths. */
      serves_api: boolean;
      created_at: string;
    };
    EmailContent: {
      type: "email";
      to: string;
      subject?: string;
      body?: string;
    };
    EventContent: {
      type: "event";
      title: string;
      /** A date, for whole days, or a time with its offset. */
      start: string;
      /** End, in the format of `start`. If the event lasts whole days, its last day. */
      end?: string;
      location?: string;
      description?: string;
    };
    ExplainedRule: {
      /** Name of the rule, or its number, starting at 1. */
      name: string;
      /** True if all conditions match. The first matching rule applies. */
      matched: boolean;
      /** First condition that failed: a key of `when`, or `split` if the visitor is in none of its variants. Null if the rule matches. */
      failed: string | null;
      /** Value of the visitor that the condition was compared with. Null if it is unknown or the rule matches. */
      seen: string | null;
    };
    FieldFault: {
      field: string;
      message: string;
    };
    Invitation: {
      id: string;
      email: string;
      role: "owner" | "editor" | "viewer";
      /** Owner who created the invitation, with their name at that time. */
      created_by: {
        member_id: string;
        name: string;
      };
      created_at: string;
      expires_at: string;
    };
    Key: {
      id: string;
      /** Characters that follow `svc_pk_` in the key. */
      prefix: string;
      name: string;
      scopes: string[];
      expires_at: string | null;
      /** Time from which the key is rejected. It is in the future while a rotated key still works. */
      revoked_at: string | null;
      /** ID of the key that replaced this key in a rotation. */
      replaced_by: string | null;
      /** Day of the last use, in UTC. */
      last_used_on: string | null;
      created_at: string;
      /** Member who created or rotated the key. Null if an administrator did, or if it is unknown. */
      created_by: {
        member_id: string;
        /** Name at the time of creation. */
        name: string;
        /** True if the member was removed or deactivated since. The key still works; rotate or revoke it. */
        has_left: boolean;
      } | null;
    };
    KeyRotation: {
      /** Hours for which the old key keeps working. */
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
      /** True if the link is protected with a password. */
      has_password: boolean;
      preview: components["schemas"]["LinkPreview"] | null;
      forward_query: boolean;
      confirm: boolean;
      imported_scans: number;
      /** Further paths of the link, as text. */
      aliases: string[];
      external_id: string | null;
      /** Result of the checks of `destination`. `broken` after three failed checks in a row. Null before the first check, and if the destination isn't checked. */
      destination_status: "ok" | "broken" | null;
      qr_template_id: string | null;
      /** Time since which the administrator of this service has banned the link. Visitors get 451, and the link cannot be changed or deleted. */
      banned_at: string | null;
      created_at: string;
      updated_at: string;
      /** Time of the deletion. Only for items in the trash. */
      deleted_at?: string;
      /** Time after which the item is erased. Only for items in the trash. */
      erase_at?: string;
    };
    LinkBrokenEvent: {
      event: "link.broken";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
        checked_at: string;
        reason: string;
      };
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
        aliases: string[];
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
        confirm: boolean;
        imported_scans: number;
      };
    };
    LinkPreview: {
      title: string | null;
      description: string | null;
      image_url: string | null;
    };
    LinkRecoveredEvent: {
      event: "link.recovered";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        destination: string;
        checked_at: string;
      };
    };
    LinkRestoredEvent: {
      event: "link.restored";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        aliases: string[];
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
        confirm: boolean;
        imported_scans: number;
      };
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
        source: "link" | "qr" | "page";
      };
    };
    LinkUpdate: {
      /** URL that the link redirects to, unless a routing rule matches. */
      url?: string;
      /** Alias of `url`, and the name used in responses. If both are sent, they must be equal. */
      destination?: string;
      labels?: string[];
      /** Further paths of the link, for example printed codes of another service. Given as text, not percent-encoded. They match exactly, including case; a path with one trailing slash is the same path. Former short codes match in any case. An alias must be unique in the workspace. */
      aliases?: string[] | null;
      enabled?: boolean;
      routing_rules?: components["schemas"]["NewRoutingRule"][];
      expires_at?: string | null;
      /** Title shown in lists. Included in `search`. */
      title?: string | null;
      /** Internal note. Never shown to visitors. */
      note?: string | null;
      /** Archived links are hidden from lists by default. They still redirect. */
      archived?: boolean | null;
      /** Time from which the link redirects. Before that, visitors are redirected to `early_url`, or get a 404 if it is not set. */
      starts_at?: string | null;
      /** URL that visitors are redirected to before `starts_at`. These visits are not counted as scans. */
      early_url?: string | null;
      /** URL that visitors are redirected to, instead of a 410, when the link has expired or is disabled. These visits are not counted as scans. */
      expired_url?: string | null;
      /** Maximum number of scans over the lifetime of the link. Further visitors are not redirected. The limit is exact. */
      max_scans?: number | null;
      /** Password that visitors must enter. It is stored as a hash and never returned; see `has_password`. */
      password?: string | null;
      /** Title, description and image shown when the link is shared in chats and on social networks, instead of the destination's own preview. */
      preview?: {
        title: string;
        description?: string | null;
        image_url?: string | null;
      } | null;
      /** True if query parameters of the short URL are added to the destination. They replace parameters of the destination with the same name. */
      forward_query?: boolean | null;
      /** True if every visitor except link previews gets a page with a button before the redirect. Only pressing it counts as a scan. */
      confirm?: boolean | null;
      /** ID of the link in your own system. Unique in the workspace. */
      external_id?: string | null;
      /** QR template of the workspace with the design of the link's QR code. If the template is deleted later, the code has the default design. */
      qr_template_id?: string | null;
      /** Number of scans that another service counted before the import. Not included in `scan_count`. */
      imported_scans?: number | null;
      /** New short code. The old one becomes an alias, so that what is printed keeps working. */
      custom_slug?: string;
      /** False if the old short code should stop working. Only with `custom_slug`. */
      keep_old_code?: boolean;
      id: string;
    };
    LinkUpdatedEvent: {
      event: "link.updated";
      /** Time of the event. */
      timestamp: string;
      data: {
        link_id: string;
        short_code: string;
        aliases: string[];
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
        confirm: boolean;
        imported_scans: number;
      };
    };
    ListedWebhook: {
      id: string;
      /** Viewers see only the scheme and the host, followed by `/…`. */
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
      /** Number of events skipped because the workspace had reached its limit for pending deliveries. Skipped scans are still counted in analytics. */
      skipped_count: number;
      /** Time at which an event was last skipped, or null if none was. */
      skipped_at: string | null;
      /** Statuses of the last deliveries, newest first. Empty unless requested with `recent`. */
      recent_statuses: ("pending" | "retrying" | "delivered" | "failed")[];
    };
    MadeInvitation: {
      id: string;
      email: string;
      role: "owner" | "editor" | "viewer";
      /** Owner who created the invitation, with their name at that time. */
      created_by: {
        member_id: string;
        name: string;
      };
      created_at: string;
      expires_at: string;
      /** URL to send to the person. It is only returned in this response, and works once. */
      url: string;
    };
    MadeKey: {
      id: string;
      /** Characters that follow `svc_pk_` in the key. */
      prefix: string;
      name: string;
      scopes: string[];
      expires_at: string | null;
      /** Time from which the key is rejected. It is in the future while a rotated key still works. */
      revoked_at: string | null;
      /** ID of the key that replaced this key in a rotation. */
      replaced_by: string | null;
      /** Day of the last use, in UTC. */
      last_used_on: string | null;
      created_at: string;
      /** Member who created or rotated the key. Null if an administrator did, or if it is unknown. */
      created_by: {
        member_id: string;
        /** Name at the time of creation. */
        name: string;
        /** True if the member was removed or deactivated since. The key still works; rotate or revoke it. */
        has_left: boolean;
      } | null;
      /** The API key. It is only shown once, because only a hash of its secret is stored. */
      key: string;
    };
    Member: {
      id: string;
      email: string;
      name: string;
      role: "owner" | "editor" | "viewer";
    };
    MemberChange: {
      role: "owner" | "editor" | "viewer";
    };
    MemberRecovery: {
      member_id: string;
      /** URL to send to the person. It is only returned in this response, and works once. */
      url: string;
      expires_at: string;
    };
    Membership: {
      id: string;
      /** Value of `X-SVC-Workspace`. */
      slug: string;
      name: string;
      plan: "free" | "pro" | "business" | "enterprise";
      /** Time since which the administrator of this service has suspended the workspace. */
      suspended_at: string | null;
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
      /** Size in bytes, at most 95.4 MiB. */
      file_size: number;
      tags?: string[];
    };
    NewInvitation: {
      email: string;
      role: "owner" | "editor" | "viewer";
    };
    NewKey: {
      name: string;
      /** Scopes of the key. `*` includes every scope. */
      scopes: ("*" | "links:read" | "links:write" | "qr:render" | "qr:read" | "qr:write" | "analytics:read" | "reports:read" | "reports:write" | "assets:read" | "assets:write" | "bio:read" | "bio:write" | "workspace:read" | "domains:write" | "webhooks:read" | "webhooks:write" | "audit:read")[];
      /** Time from which the key is rejected. Null if the key does not expire. */
      expires_at?: string | null;
    };
    NewLink: {
      /** URL that the link redirects to, unless a routing rule matches. */
      url?: string;
      /** Alias of `url`, and the name used in responses. If both are sent, they must be equal. */
      destination?: string;
      /** Short code of the link. Default: a generated code of 7 characters. */
      custom_slug?: string;
      labels?: string[];
      /** Further paths of the link, for example printed codes of another service. Given as text, not percent-encoded. They match exactly, including case; a path with one trailing slash is the same path. Former short codes match in any case. An alias must be unique in the workspace. */
      aliases?: string[] | null;
      routing_rules?: components["schemas"]["NewRoutingRule"][];
      /** Time from which the short URL returns 410. It may be in the past. */
      expires_at?: string;
      /** Title shown in lists. Included in `search`. */
      title?: string | null;
      /** Internal note. Never shown to visitors. */
      note?: string | null;
      /** Archived links are hidden from lists by default. They still redirect. */
      archived?: boolean | null;
      /** Time from which the link redirects. Before that, visitors are redirected to `early_url`, or get a 404 if it is not set. */
      starts_at?: string | null;
      /** URL that visitors are redirected to before `starts_at`. These visits are not counted as scans. */
      early_url?: string | null;
      /** URL that visitors are redirected to, instead of a 410, when the link has expired or is disabled. These visits are not counted as scans. */
      expired_url?: string | null;
      /** Maximum number of scans over the lifetime of the link. Further visitors are not redirected. The limit is exact. */
      max_scans?: number | null;
      /** Password that visitors must enter. It is stored as a hash and never returned; see `has_password`. */
      password?: string | null;
      /** Password hash of an imported link, instead of `password`: `pbkdf2-sha256$rounds$salt$hash` with salt and hash in Base64, or `sink-pwd:v1:…` as exported by Sink. 1,000 to 100,000 rounds. Never returned. */
      password_hash?: string;
      /** Title, description and image shown when the link is shared in chats and on social networks, instead of the destination's own preview. */
      preview?: {
        title: string;
        description?: string | null;
        image_url?: string | null;
      } | null;
      /** True if query parameters of the short URL are added to the destination. They replace parameters of the destination with the same name. */
      forward_query?: boolean | null;
      /** True if every visitor except link previews gets a page with a button before the redirect. Only pressing it counts as a scan. */
      confirm?: boolean | null;
      /** ID of the link in your own system. Unique in the workspace. */
      external_id?: string | null;
      /** QR template of the workspace with the design of the link's QR code. If the template is deleted later, the code has the default design. */
      qr_template_id?: string | null;
      /** Number of scans that another service counted before the import. Not included in `scan_count`. */
      imported_scans?: number | null;
      /** Time at which an imported link was created. Lists are ordered by this time. A time up to 5 minutes in the future, from a clock that is ahead, becomes the current time. A later time is rejected. */
      created_at?: string;
    };
    NewPasskey: {
      /** Name by which the person recognizes the passkey. */
      name: string;
      /** State of the ceremony. Send it back unchanged within 5 minutes. */
      state: string;
      /** Result of `toJSON()` of the credential that the browser has created. */
      response: {
        [name: string]: unknown;
      };
    };
    NewReport: {
      /** Title of the report, which everyone with its URL sees. */
      title: string;
      /** IDs of the links. Deleted links leave the report. Required without `label`. */
      links?: string[];
      /** Reports on all links that have this label when the report is opened, instead of `links`. */
      label?: string;
      /** Either `days` (1 to 366): the present day and the days before it, which move with the day. Or `from_date` and `to_date`: a first and a last day, at most 366 days. Days are in UTC. */
      range: {
        days?: number;
        from_date?: string;
        to_date?: string;
      };
      /** Time from which the URL no longer works. Null if the report does not expire. */
      expires_at?: string | null;
      /** Password that visitors must enter. It is stored as a hash and never returned; see `has_password`. */
      password?: string | null;
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
      /** Blocks these visitors with 451 instead of redirecting them. */
      block?: true;
      /** Splits visitors between these destinations. A visitor always gets the same one. Percentages must add up to at most 100; the remaining visitors continue to the next rule. Without `when`, the split applies to all visitors. */
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
      by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule" | "traffic" | "source" | "utm_source" | "utm_medium" | "utm_campaign";
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
      /** Language of the page. It is used by screen readers and sets the text direction. Default: guessed from the script of the title, otherwise en. */
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
        /** Name of the network. Networks without an icon are shown with a globe. */
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
        /** Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z` for hours. With `time_zone`, hours end with the offset of the zone instead of `Z`. */
        date: string;
        count: number;
      }[];
    };
    Passkey: {
      id: string;
      name: string;
      created_at: string;
      last_used_at: string | null;
    };
    PasskeyChange: {
      /** Name by which the person recognizes the passkey. */
      name: string;
    };
    PasskeyOptions: {
      /** Options for `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
      options: {
        [name: string]: unknown;
      };
      /** State of the ceremony. Send it back unchanged within 5 minutes. */
      state: string;
    };
    PhoneContent: {
      type: "phone";
      number: string;
    };
    PlaceContent: {
      type: "place";
      latitude: number;
      longitude: number;
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
      /** Colour of the finder patterns. It must have the same contrast as `foreground_color` and must not be much lighter or darker. Default: `foreground_color`. */
      corner_color?: string;
      /** Minimum error correction level. Default: M. */
      error_correction?: "L" | "M" | "Q" | "H";
      /** Shape of the dots. Default: square. */
      dot_style?: "square" | "rounded" | "dots" | "classy" | "classy-rounded" | "extra-rounded";
      /** Shape of the finder patterns. Default: square. */
      corner_style?: "square" | "rounded" | "dot" | "extra-rounded";
      /** URL of a PNG, JPEG, GIF or WebP image of at most 1 MiB and 4,096 pixels per side: a public https URL, or the `public_url` of an asset, which is read from storage. A WebP image can have at most 360,000 pixels in total. In a PNG or PDF, other images can have at most 1,048,576 pixels, except a JPEG in a PDF, which can have more. */
      logo_url?: string;
      /** Width of the logo relative to the width of the symbol. Default: 0.2. */
      logo_size?: number;
      /** Width of the quiet zone in modules. Default: 1. With a frame, it is at least 4. */
      quiet_zone?: number;
      /** Makes QR codes of links smaller: they contain the short URL in upper case, which takes fewer modules. Has no effect on other content. Default: false. */
      compact?: boolean;
      frame?: components["schemas"]["QrFrame"];
    };
    QrFrame: {
      /** Shape of the frame: text below the code, a label below or above it, a border with a tab below, or a border with a speech balloon below. */
      style: "text" | "label-below" | "label-above" | "border" | "balloon";
      /** Call to action in Latin, Greek or Cyrillic letters, digits and punctuation. Long texts are drawn smaller. Default: Scan me. */
      text?: string;
      /** Colour of the frame. Text on a label has `background_color`, or black or white if that is not readable. Default: `foreground_color`. */
      color?: string;
    };
    QrTemplate: {
      id: string;
      name: string;
      description: string;
      design: components["schemas"]["QrDesign"];
      created_at: string;
      updated_at: string;
      /** Time of the deletion. Only for items in the trash. */
      deleted_at?: string;
      /** Time after which the item is erased. Only for items in the trash. */
      erase_at?: string;
    };
    Report: {
      id: string;
      title: string;
      /** URL of the page. Null if the deployment's secret was replaced since: the URL still works, but cannot be shown again. */
      url: string | null;
      /** IDs of the links. Null for a report on a label. */
      links: string[] | null;
      label: string | null;
      range: {
        days?: number;
        from_date?: string;
        to_date?: string;
      };
      expires_at: string | null;
      has_password: boolean;
      created_at: string;
    };
    ResolvedLink: {
      /** HTTP status that the visitor gets. */
      status: number;
      /** `found`: redirected to a destination, which is a scan if the visitor is a person. `early`: redirected to `early_url`. `expired`: redirected to `expired_url`. `gone`: the link is disabled, has expired or has reached its scan limit. `preview`: the link's own preview, shown to an app that fetches link previews. `password`: the password form. `held`: a page asking to open the link in a browser, shown to automated requests if the link has `max_scans`. `confirm`: a page with a button, shown to every visitor if the link has `confirm`, and to visitors without a known browser if it has `max_scans`. `blocked`: blocked by a rule. `banned`: the administrator of this service has banned the link, suspended the workspace or blocked the destination. `unknown`: the link has not started, or its destination could cause a redirect loop. If the primary domain has a URL for `gone` or `unknown`, the visitor is redirected to it. */
      outcome: "found" | "early" | "expired" | "gone" | "preview" | "password" | "held" | "confirm" | "blocked" | "banned" | "unknown";
      /** URL that the visitor is redirected to, with forwarded query parameters. */
      destination: string | null;
      /** Rule or variant that applies, under its name in analytics. Null if no rule matches. */
      rule: string | null;
      /** Every rule of the link, in order, including rules after the one that applies. */
      rules: components["schemas"]["ExplainedRule"][];
      /** Time of the visit that the result is for. */
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
      /** Day of the last use. */
      last_seen_at: string;
      /** Time at which the session ends if it is not used until then. */
      expires_at: string;
    };
    SessionWorkspace: {
      id: string;
      /** Value of `X-SVC-Workspace`. */
      slug: string;
      name: string;
      plan: "free" | "pro" | "business" | "enterprise";
      /** Time since which the administrator of this service has suspended the workspace. */
      suspended_at: string | null;
    };
    SmsContent: {
      type: "sms";
      number: string;
      body?: string;
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
        /** Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z` for hours. With `time_zone`, hours end with the offset of the zone instead of `Z`. */
        date: string;
        scans: number;
        /** Unique visitors. A visitor is a person with one IP address and browser within a UTC day, and counts once on each day. Null with `interval=hour`, and for traffic other than `human`. */
        visitors: number | null;
        /** True if a number beside this field is an estimate: visitors on days with more than 8,192, or scans with `scans_are: sampled`. Missing if all are exact. */
        estimated?: true;
      }[];
      /** Sum of the visitors of all days. Null where visitors are not counted. */
      total_visitors: number | null;
      /** True if `total_visitors` is an estimate. */
      estimated?: true;
      /** `daily`: a visitor counts once on each UTC day, so that weeks, months and totals are sums of days. */
      visitors_are: "daily";
      /** `sampled`: numbers of scans are estimates of Analytics Engine. */
      scans_are: "exact" | "sampled";
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
        /** Bytes that changes have written since midnight UTC. */
        written_bytes_today: number;
      };
      limits: {
        links_per_month: number;
        dynamic_qr: number;
        bio_pages: number;
        storage_mb: number;
        api_calls_per_month: number;
        qr_templates: number;
        written_bytes_per_day: number;
      };
      features: {
        routing_rules: boolean;
        csv_export: boolean;
        bulk_ops: boolean;
        ad_free: boolean;
      };
    };
    VcardContent: {
      type: "vcard";
      first_name?: string;
      last_name?: string;
      organization?: string;
      /** Position in the organisation. */
      title?: string;
      phone?: string;
      mobile?: string;
      email?: string;
      url?: string;
      street?: string;
      city?: string;
      region?: string;
      postal_code?: string;
      country?: string;
      note?: string;
    };
    VisitorDescription: {
      /** ISO 3166-1 country code. Default: the country of `region`. */
      country?: string;
      region?: string;
      continent?: "AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA";
      /** Default: detected from `user_agent`. The same applies to `os` and `browser`. */
      device?: "mobile" | "tablet" | "desktop";
      os?: "ios" | "android" | "windows" | "macos" | "linux" | "chromeos";
      browser?: "chrome" | "safari" | "firefox" | "edge" | "opera" | "samsung";
      /** Accepted languages, most preferred first. */
      languages?: string[];
      /** Query parameters of the short URL. */
      query?: {
        [name: string]: string | string[];
      };
      /** Time of the visit. Default: now. */
      at?: string;
      /** `User-Agent` header. Percentages and splits depend on it. */
      user_agent?: string;
      /** IP address of the visitor, as in `CF-Connecting-IP`. Percentages and splits depend on it. */
      ip?: string | string;
    };
    Webhook: {
      id: string;
      /** Viewers see only the scheme and the host, followed by `/…`. */
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
      /** Number of events skipped because the workspace had reached its limit for pending deliveries. Skipped scans are still counted in analytics. */
      skipped_count: number;
      /** Time at which an event was last skipped, or null if none was. */
      skipped_at: string | null;
    };
    WebhookDisabledEvent: {
      event: "webhook.disabled";
      /** Time of the event. */
      timestamp: string;
      data: {
        webhook_id: string;
        /** URL of the endpoint without its path and query. */
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
      /** Viewers see only the scheme and the host, followed by `/…`. */
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.restored" | "link.broken" | "link.recovered" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
      /** Number of events skipped because the workspace had reached its limit for pending deliveries. Skipped scans are still counted in analytics. */
      skipped_count: number;
      /** Time at which an event was last skipped, or null if none was. */
      skipped_at: string | null;
      /** Signing secret of the deliveries. Only shown once. */
      secret: string;
    };
    WifiContent: {
      type: "wifi";
      /** Name of the network. */
      ssid: string;
      password?: string;
      /** `WPA` includes WPA2 and WPA3. Default: `WPA` with a password, otherwise `nopass`. */
      security?: "WPA" | "WEP" | "nopass";
      /** True if the network doesn't announce its name. */
      hidden?: boolean;
    };
    Workspace: {
      id: string;
      name: string;
      description: string;
      plan: "free" | "pro" | "business" | "enterprise";
      created_at: string;
      /** Time since which the administrator of this service has suspended the workspace. Its links, pages and files respond with 451, and it cannot be changed. */
      suspended_at: string | null;
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
    "ConflictAlreadyAMemberOrInvitationLimitExceededOrMembersManagedByProviderReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ALREADY_A_MEMBER" | "INVITATION_LIMIT_EXCEEDED" | "MEMBERS_MANAGED_BY_PROVIDER" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
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
    "ConflictEntryNotRevertibleOrSlugTakenOrAliasTakenOrAliasLimitExceededOrExternalIdTakenReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "ENTRY_NOT_REVERTIBLE" | "SLUG_TAKEN" | "ALIAS_TAKEN" | "ALIAS_LIMIT_EXCEEDED" | "EXTERNAL_ID_TAKEN" | "IDEMPOTENCY_CONFLICT";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictInvitationLimitExceededOrMembersManagedByProviderReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INVITATION_LIMIT_EXCEEDED" | "MEMBERS_MANAGED_BY_PROVIDER" | "IDEMPOTENCY_CONFLICT";
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
    "ConflictLastOwnerOrMembersManagedByProvider": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "LAST_OWNER" | "MEMBERS_MANAGED_BY_PROVIDER";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictPasskeyLimitExceededReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "PASSKEY_LIMIT_EXCEEDED" | "IDEMPOTENCY_CONFLICT";
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
    "ConflictSlugTakenOrAliasTakenOrAliasLimitExceededOrExternalIdTaken": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "SLUG_TAKEN" | "ALIAS_TAKEN" | "ALIAS_LIMIT_EXCEEDED" | "EXTERNAL_ID_TAKEN";
            message: string;
            status: 409;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ConflictSlugTakenOrAliasTakenOrExternalIdTakenReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "SLUG_TAKEN" | "ALIAS_TAKEN" | "EXTERNAL_ID_TAKEN" | "IDEMPOTENCY_CONFLICT";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED";
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
            code: "INVALID_UPLOAD_URL" | "WORKSPACE_SUSPENDED" | "EXPIRED_UPLOAD_URL" | "HTTPS_REQUIRED";
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
    "ForbiddenLinkBanned": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "LINK_BANNED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenLinkBannedReplayable": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "LINK_BANNED";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "PLAN_LIMIT_EXCEEDED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ForbiddenPlanLimitExceededOrLinkBanned": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "PLAN_LIMIT_EXCEEDED" | "LINK_BANNED";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "PLAN_LIMIT_EXCEEDED";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "SESSION_REQUIRED";
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
            code: "INSUFFICIENT_SCOPE" | "INSUFFICIENT_ROLE" | "NOT_A_MEMBER" | "ORIGIN_MISMATCH" | "WORKSPACE_SUSPENDED" | "FEATURE_NOT_AVAILABLE" | "HTTPS_REQUIRED" | "SESSION_REQUIRED";
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
            code: "SERVICE_UNAVAILABLE";
            message: string;
            status: 503;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ServiceUnavailableKeyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "SERVICE_UNAVAILABLE";
            message: string;
            status: 503;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "ServiceUnavailableWorkspaceMoving": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "SERVICE_UNAVAILABLE" | "WORKSPACE_MOVING";
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
    "TooManyRequestsDeliveryBacklogOrQuotaExceeded": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RATE_LIMIT_EXCEEDED" | "BURST_LIMIT_EXCEEDED" | "DELIVERY_BACKLOG" | "QUOTA_EXCEEDED";
            message: string;
            status: 429;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "TooManyRequestsExportInProgress": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RATE_LIMIT_EXCEEDED" | "BURST_LIMIT_EXCEEDED" | "EXPORT_IN_PROGRESS";
            message: string;
            status: 429;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "TooManyRequestsQuotaExceeded": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "RATE_LIMIT_EXCEEDED" | "BURST_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED";
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
