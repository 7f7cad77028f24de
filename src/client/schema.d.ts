// Generated from the OpenAPI document by `npm run client`.

export interface paths {
  "/v1/links": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          limit?: number;
          offset?: number;
          label?: string;
          enabled?: boolean;
          search?: string;
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
                rate_limit: components["schemas"]["RateLimitA"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent"];
        409: components["responses"]["409.SLUG_TAKEN.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
        url?: string;
        labels?: string[];
        enabled?: boolean;
        routing_rules?: components["schemas"]["NewRoutingRule"][];
        expires_at?: string | null;
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["Link"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
      };
    };
    trace?: never;
  };
  "/v1/links/{link_id}/qr": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get: {
      parameters: {
        query?: {
          format?: "svg" | "png";
          size?: number;
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
          };
        };
        304: {
          headers: { [name: string]: unknown };
          content?: never;
        };
        400: components["responses"]["400.validation_error"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED"];
        404: components["responses"]["404.not_found"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
        format?: "svg" | "png";
        /** Width of a module in pixels. In an SVG, these are CSS pixels. */
        size?: number;
        design?: components["schemas"]["QrDesign"];
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "image/svg+xml": string;
            "image/png": string;
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
      } } };
      responses: {
        201: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
        page_data?: components["schemas"]["PageData"];
      } } };
      responses: {
        200: {
          headers: { [name: string]: unknown };
          content: {
            "application/json": {
              data: components["schemas"]["BioPage"];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
      };
    };
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.ASSET_NOT_UPLOADED.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.ASSET_NOT_UPLOADED.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.ASSET_NOT_CONFIRMED.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
          by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule";
          from_date?: string;
          to_date?: string;
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
                rate_limit: components["schemas"]["RateLimitB"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
                /** Number of items in all pages. */
                total: number;
                limit: number;
                offset: number;
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.IDEMPOTENCY_CONFLICT.idempotent"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.WEBHOOK_DISABLED.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR.idempotent"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.idempotent"];
        409: components["responses"]["409.WEBHOOK_DISABLED.IDEMPOTENCY_CONFLICT.idempotent"];
        422: components["responses"]["422.IDEMPOTENCY_CONFLICT"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
              data: components["schemas"]["Member"][];
              meta: {
                request_id: string;
                rate_limit: components["schemas"]["RateLimitA"];
              };
            };
          };
        };
        400: components["responses"]["400.VALIDATION_ERROR"];
        401: components["responses"]["401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY"];
        403: components["responses"]["403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE"];
        429: components["responses"]["429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED"];
        500: components["responses"]["500.INTERNAL_ERROR"];
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
        405: components["responses"]["405.METHOD_NOT_ALLOWED.keyless"];
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
        405: components["responses"]["405.METHOD_NOT_ALLOWED.keyless"];
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
        405: components["responses"]["405.METHOD_NOT_ALLOWED.keyless"];
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
        400: components["responses"]["400.VALIDATION_ERROR.keyless"];
        403: components["responses"]["403.INVALID_UPLOAD_URL.EXPIRED_UPLOAD_URL.keyless"];
        404: components["responses"]["404.RESOURCE_NOT_FOUND.keyless"];
        405: components["responses"]["405.METHOD_NOT_ALLOWED.keyless"];
        409: components["responses"]["409.ASSET_ALREADY_UPLOADED.keyless"];
        413: components["responses"]["413.PAYLOAD_TOO_LARGE.keyless"];
        415: components["responses"]["415.UNSUPPORTED_MEDIA_TYPE.keyless"];
        500: components["responses"]["500.INTERNAL_ERROR.keyless"];
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
    Breakdown: {
      by: "link" | "country" | "region" | "device" | "os" | "browser" | "referrer" | "language" | "rule";
      /** Values in descending order of scans. */
      items: {
        /** Value of the dimension. country: ISO 3166-1; region: ISO 3166-2; language: as in routing rules; referrer: host of the page that held the link; rule: name of the routing rule that chose the destination, or its number (`#1`); link: id of the link, also of a deleted one. A missing value is `unknown`, a missing referrer `direct`, and a scan without a matching rule `default`. */
        value: string;
        scans: number;
      }[];
    };
    BulkError: {
      /** Index of the faulty item, from 0. */
      index: number;
      error: "conflict" | "validation_error" | "plan_limit_exceeded" | "feature_not_available";
      message: string;
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
      response_status: unknown;
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
      response_status: unknown;
      /** Request body of the delivery. */
      payload: {
        [name: string]: unknown;
      };
      attempts_log: {
        attempted_at: string;
        response_status: unknown;
        latency_ms: number;
        /** Reason for a missing response. */
        error: unknown;
        /** First 16 KiB of the response body. */
        response_body: unknown;
      }[];
    };
    FieldFault: {
      field: string;
      message: string;
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
      created_at: string;
      updated_at: string;
    };
    Member: {
      id: string;
      email: string;
      name: string;
    };
    NewAsset: {
      filename: string;
      mime_type: string;
      /** Size in bytes. */
      file_size: number;
      tags?: string[];
    };
    NewLink: {
      url: string;
      /** Short code of the link. If absent, a code of 7 characters is generated. */
      custom_slug?: string;
      labels?: string[];
      routing_rules?: components["schemas"]["NewRoutingRule"][];
      /** Time from which the short address returns 410. A past time is accepted. */
      expires_at?: string;
    };
    NewRoutingRule: {
      name?: string;
      when: {
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
      destination: string;
    };
    PageData: {
      /** Name of the theme: auto, paper, ink, sunrise, mono or contrast. Any other name is shown as auto. */
      theme?: string;
      /** Language of the page, which screen readers use. Default: en. */
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
      /** Colour of the dark modules. Default: #000000. */
      foreground_color?: string;
      /** Colour of the light modules and the quiet zone. Default: #FFFFFF. */
      background_color?: string;
      /** Minimum error correction level. Default: M. */
      error_correction?: "L" | "M" | "Q" | "H";
      /** Shape of the dots. Default: square. */
      dot_style?: "square" | "rounded" | "dots" | "classy" | "classy-rounded" | "extra-rounded";
      /** Shape of the finder patterns. Default: square. */
      corner_style?: "square" | "rounded" | "dot" | "extra-rounded";
      /** URL of a PNG, JPEG, GIF or WebP image of at most 1 MiB and 4,096 pixels per side. */
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
    RateLimitA: {
      limit: number;
      remaining: number;
      /** Unix time in seconds. */
      reset: number;
    };
    RateLimitB: {
      remaining: number;
      reset_at: string;
    };
    RoutingRule: {
      name?: string;
      when: {
        [name: string]: unknown;
      };
      destination: string;
    };
    Timeseries: {
      interval: "hour" | "day" | "week" | "month";
      /** Every bucket of the range in order, including those without scans. Scans outside the range are not counted. */
      points: {
        /** Start of the bucket: `YYYY-MM-DD` (Monday of a week, first day of a month), or `YYYY-MM-DDTHH:00:00Z`. */
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
    Webhook: {
      id: string;
      url: string;
      description: string;
      events: ("*" | "link.created" | "link.updated" | "link.deleted" | "link.scanned" | "bio.published" | "bio.unpublished" | "asset.uploaded" | "asset.published" | "webhook.disabled" | "webhook.test")[];
      enabled: boolean;
      disabled_at: string | null;
      created_at: string;
      updated_at: string;
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
    "400.VALIDATION_ERROR": {
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
    "400.VALIDATION_ERROR.idempotent": {
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
    "400.VALIDATION_ERROR.keyless": {
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
    "400.validation_error": {
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
    "401.INVALID_API_KEY.REVOKED_API_KEY.EXPIRED_API_KEY": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INVALID_API_KEY" | "REVOKED_API_KEY" | "EXPIRED_API_KEY";
            message: string;
            status: 401;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "FEATURE_NOT_AVAILABLE";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "FEATURE_NOT_AVAILABLE" | "PLAN_LIMIT_EXCEEDED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.PLAN_LIMIT_EXCEEDED.idempotent": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "FEATURE_NOT_AVAILABLE" | "PLAN_LIMIT_EXCEEDED";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "403.INSUFFICIENT_SCOPE.FEATURE_NOT_AVAILABLE.idempotent": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INSUFFICIENT_SCOPE" | "FEATURE_NOT_AVAILABLE";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "403.INVALID_UPLOAD_URL.EXPIRED_UPLOAD_URL.keyless": {
      headers: { [name: string]: unknown };
      content: {
        "application/json": {
          error: {
            code: "INVALID_UPLOAD_URL" | "EXPIRED_UPLOAD_URL";
            message: string;
            status: 403;
          };
          meta: {
            request_id: string;
          };
        };
      };
    };
    "404.RESOURCE_NOT_FOUND": {
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
    "404.RESOURCE_NOT_FOUND.idempotent": {
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
    "404.RESOURCE_NOT_FOUND.keyless": {
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
    "404.not_found": {
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
    "405.METHOD_NOT_ALLOWED.keyless": {
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
    "409.ASSET_ALREADY_UPLOADED.keyless": {
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
    "409.ASSET_NOT_CONFIRMED.IDEMPOTENCY_CONFLICT.idempotent": {
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
    "409.ASSET_NOT_UPLOADED.IDEMPOTENCY_CONFLICT.idempotent": {
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
    "409.IDEMPOTENCY_CONFLICT.idempotent": {
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
    "409.SLUG_TAKEN.IDEMPOTENCY_CONFLICT.idempotent": {
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
    "409.WEBHOOK_DISABLED.IDEMPOTENCY_CONFLICT.idempotent": {
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
    "413.PAYLOAD_TOO_LARGE": {
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
    "413.PAYLOAD_TOO_LARGE.keyless": {
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
    "415.UNSUPPORTED_MEDIA_TYPE": {
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
    "415.UNSUPPORTED_MEDIA_TYPE.keyless": {
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
    "422.IDEMPOTENCY_CONFLICT": {
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
    "429.RATE_LIMIT_EXCEEDED.BURST_LIMIT_EXCEEDED": {
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
    "500.INTERNAL_ERROR": {
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
    "500.INTERNAL_ERROR.keyless": {
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
  };
}
