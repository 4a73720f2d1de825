// Made by `npm run dashboard:types` from the OpenAPI document; do not edit.
export type Rule =
  | (
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'block'
          action_parameters?: {
            response?: {
              status_code: number
              content: string
              content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
            }
          }
          ratelimit?: {
            /**
             * @minItems 1
             * @maxItems 20
             */
            characteristics: string[]
            period: number
            requests_per_period?: number
            mitigation_timeout?: number
            counting_expression?: string
            requests_to_origin?: boolean
            score_per_period?: number
            /**
             * the name of a header
             */
            score_response_header_name?: string
          }
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'challenge'
          action_parameters?: {}
          ratelimit?: {
            /**
             * @minItems 1
             * @maxItems 20
             */
            characteristics: string[]
            period: number
            requests_per_period?: number
            mitigation_timeout?: number
            counting_expression?: string
            requests_to_origin?: boolean
            score_per_period?: number
            /**
             * the name of a header
             */
            score_response_header_name?: string
          }
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'execute'
          action_parameters: ParametersExecute
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'js_challenge'
          action_parameters?: {}
          ratelimit?: {
            /**
             * @minItems 1
             * @maxItems 20
             */
            characteristics: string[]
            period: number
            requests_per_period?: number
            mitigation_timeout?: number
            counting_expression?: string
            requests_to_origin?: boolean
            score_per_period?: number
            /**
             * the name of a header
             */
            score_response_header_name?: string
          }
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'log'
          action_parameters?: {}
          ratelimit?: {
            /**
             * @minItems 1
             * @maxItems 20
             */
            characteristics: string[]
            period: number
            requests_per_period?: number
            mitigation_timeout?: number
            counting_expression?: string
            requests_to_origin?: boolean
            score_per_period?: number
            /**
             * the name of a header
             */
            score_response_header_name?: string
          }
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'log_custom_field'
          action_parameters: ParametersLogCustomField
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'managed_challenge'
          action_parameters?: {}
          ratelimit?: {
            /**
             * @minItems 1
             * @maxItems 20
             */
            characteristics: string[]
            period: number
            requests_per_period?: number
            mitigation_timeout?: number
            counting_expression?: string
            requests_to_origin?: boolean
            score_per_period?: number
            /**
             * the name of a header
             */
            score_response_header_name?: string
          }
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'redirect'
          action_parameters: ParametersRedirect
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'rewrite'
          action_parameters: ParametersRewrite
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'route'
          action_parameters: ParametersRoute
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'set_config'
          action_parameters: ParametersSetConfig
        }
      | {
          /**
           * 32 lower-case hex digits
           */
          id: string
          version: string
          last_updated: string
          ref: string
          enabled: boolean
          description?: string
          expression: string
          action: 'skip'
          action_parameters: ParametersSkip
          logging?: {
            enabled: boolean
          }
        }
    )
  | {
      /**
       * 32 lower-case hex digits
       */
      id: string
      version: string
      last_updated: string
      ref: string
      enabled: boolean
      description?: string
      action: string
      action_parameters?: {
        increment: number
      }
      categories?: string[]
      score_threshold?: number
    }
export type ParametersRewrite =
  | {
      uri: {
        path?: {
          /**
           * a path: / and visible ASCII characters without ? and #
           */
          value?: string
          /**
           * a value expression of the rules language
           */
          expression?: string
        }
        query?: {
          /**
           * a query: visible ASCII characters without #
           */
          value?: string
          /**
           * a value expression of the rules language
           */
          expression?: string
        }
      }
    }
  | {
      headers: {
        /**
         * `add` and `set` take one of `value` and `expression`, `remove` neither
         *
         * This interface was referenced by `undefined`'s JSON-Schema definition
         * via the `patternProperty` "^.*$".
         */
        [k: string]: {
          operation: 'add' | 'set' | 'remove'
          /**
           * a text without control characters
           */
          value?: string
          /**
           * a value expression of the rules language
           */
          expression?: string
        }
      }
    }
export type RuleInput =
  | {
      action: 'block'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters?: {
        response?: {
          status_code: number
          content: string
          content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
        }
      }
      ratelimit?: {
        /**
         * @minItems 1
         * @maxItems 20
         */
        characteristics: string[]
        period: number
        requests_per_period?: number
        mitigation_timeout?: number
        counting_expression?: string
        requests_to_origin?: boolean
        score_per_period?: number
        /**
         * the name of a header
         */
        score_response_header_name?: string
      }
    }
  | {
      action: 'challenge'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters?: {}
      ratelimit?: {
        /**
         * @minItems 1
         * @maxItems 20
         */
        characteristics: string[]
        period: number
        requests_per_period?: number
        mitigation_timeout?: number
        counting_expression?: string
        requests_to_origin?: boolean
        score_per_period?: number
        /**
         * the name of a header
         */
        score_response_header_name?: string
      }
    }
  | {
      action: 'execute'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersExecute
    }
  | {
      action: 'js_challenge'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters?: {}
      ratelimit?: {
        /**
         * @minItems 1
         * @maxItems 20
         */
        characteristics: string[]
        period: number
        requests_per_period?: number
        mitigation_timeout?: number
        counting_expression?: string
        requests_to_origin?: boolean
        score_per_period?: number
        /**
         * the name of a header
         */
        score_response_header_name?: string
      }
    }
  | {
      action: 'log'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters?: {}
      ratelimit?: {
        /**
         * @minItems 1
         * @maxItems 20
         */
        characteristics: string[]
        period: number
        requests_per_period?: number
        mitigation_timeout?: number
        counting_expression?: string
        requests_to_origin?: boolean
        score_per_period?: number
        /**
         * the name of a header
         */
        score_response_header_name?: string
      }
    }
  | {
      action: 'log_custom_field'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersLogCustomField
    }
  | {
      action: 'managed_challenge'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters?: {}
      ratelimit?: {
        /**
         * @minItems 1
         * @maxItems 20
         */
        characteristics: string[]
        period: number
        requests_per_period?: number
        mitigation_timeout?: number
        counting_expression?: string
        requests_to_origin?: boolean
        score_per_period?: number
        /**
         * the name of a header
         */
        score_response_header_name?: string
      }
    }
  | {
      action: 'redirect'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersRedirect
    }
  | {
      action: 'rewrite'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersRewrite
    }
  | {
      action: 'route'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersRoute
    }
  | {
      action: 'set_config'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersSetConfig
    }
  | {
      action: 'skip'
      expression: string
      description?: string
      enabled?: boolean
      ref?: string
      version?: unknown
      last_updated?: unknown
      categories?: unknown
      score_threshold?: unknown
      id?: string
      position?: {
        /**
         * a rule id; empty: before all others
         */
        before?: string
        /**
         * a rule id; empty: after all others
         */
        after?: string
        /**
         * from 1, in the resulting list
         */
        index?: number
      }
      action_parameters: ParametersSkip
      logging?: {
        enabled: boolean
      }
    }
export type RuleUpdate =
  | RuleInput
  | {
      position: Position
    }
export type ListItemsInput = {
  /**
   * in lists of kind `ip`
   */
  ip?: string
  /**
   * in lists of kind `hostname`
   */
  hostname?: {
    url_hostname: string
  }
  /**
   * in lists of kind `asn`
   */
  asn?: number
  /**
   * in lists of kind `redirect`
   */
  redirect?: {}
  comment?: string
}[]
/**
 * the new secret, shown this once
 *
 */
export type TokenValue = string

export interface ErrorEntry {
  /**
   * docs/errors.md lists the codes
   */
  code?: number
  message: string
  source?: {
    /**
     * JSON pointer into the request body
     */
    pointer: string
  }
  error_chain?: {
    code: number
    message: string
  }[]
}
export interface Message {
  code: number
  message: string
  type?: null
}
export interface PageInfo {
  page?: number
  per_page?: number
  count?: number
  total_count?: number
  total_pages?: number
  cursor?: string
  cursors?: {
    before?: string
    after?: string
  }
}
export interface Failure {
  result: null
  success: false
  errors: ErrorEntry[]
  messages: unknown[]
}
export interface Id {
  /**
   * 32 lower-case hex digits
   */
  id: string
}
export interface Account {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  type: string
  created_on: string
  settings: {}
}
export interface CrsRule {
  /**
   * its number
   */
  id: number
  /**
   * of the managed rulesets
   */
  version: string
  crs_version: string
  file: string
  /**
   * where it begins in the file, from 1
   */
  line: number
  message: string
  /**
   * in upper case; empty when it has none
   */
  severity: string
  /**
   * 0 for none
   */
  paranoia_level: number
  tags: string[]
  /**
   * as written, in SecLang, with its chain
   */
  text: string
  upstream_url: string | null
}
export interface Zone {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  status: 'active'
  paused: boolean
  type: 'full'
  origin: {
    /**
     * where requests go; Sluice’s own
     */
    url: string
  }
  account: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    name: string
  }
  owner: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    name: string
    type: string
  }
  permissions: string[]
  plan: {}
  meta: {}
  development_mode: number
  name_servers: string[]
  original_name_servers: string[] | null
  original_registrar: string | null
  original_dnshost: string | null
  created_on: string
  modified_on: string
  activated_on: string | null
}
export interface ParametersExecute {
  id: string
  /**
   * `latest` (the default) or a number
   */
  version?: string
  overrides?: {
    action?: 'block' | 'challenge' | 'js_challenge' | 'log' | 'managed_challenge'
    enabled?: boolean
    categories?: {
      category: string
      action?: 'block' | 'challenge' | 'js_challenge' | 'log' | 'managed_challenge'
      enabled?: boolean
    }[]
    rules?: {
      id: string
      action?: 'block' | 'challenge' | 'js_challenge' | 'log' | 'managed_challenge'
      enabled?: boolean
      score_threshold?: number
    }[]
  }
  matched_data?: {
    /**
     * the standard base64 of 32 bytes
     */
    public_key: string
  }
}
export interface ParametersLogCustomField {
  request_fields?: {
    name: string
  }[]
  transformed_request_fields?: {
    name: string
  }[]
  response_fields?: {
    name: string
    preserve_duplicates?: boolean
  }[]
  raw_response_fields?: {
    name: string
    preserve_duplicates?: boolean
  }[]
  cookie_fields?: {
    name: string
  }[]
}
export interface ParametersRedirect {
  from_value: {
    target_url: {
      /**
       * an http or https URL or a path, in visible ASCII characters
       */
      value?: string
      /**
       * a value expression of the rules language
       */
      expression?: string
    }
    status_code?: 301 | 302 | 303 | 307 | 308
    preserve_query_string?: boolean
  }
}
export interface ParametersRoute {
  /**
   * a host name or an address, with a port or without
   */
  host_header?: string
  origin?: {
    /**
     * a host name or an address, IPv6 in brackets
     */
    host?: string
    port?: number
  }
  sni?: {
    /**
     * a host name
     */
    value: string
  }
}
export interface ParametersSetConfig {
  security_level?: 'off' | 'essentially_off' | 'low' | 'medium' | 'high' | 'under_attack'
  ssl?: 'full' | 'strict'
}
export interface ParametersSkip {
  ruleset?: 'current'
  phase?: 'current'
  /**
   * @minItems 1
   */
  phases?: ('http_ratelimit' | 'http_request_sbfm' | 'http_request_firewall_managed')[]
  /**
   * @minItems 1
   */
  products?: ('bic' | 'hot' | 'rateLimit' | 'securityLevel' | 'uaBlock' | 'waf' | 'zoneLockdown')[]
  /**
   * @minItems 1
   *
   * Items: 32 lower-case hex digits
   */
  rulesets?: string[]
  /**
   * Managed ruleset id → ids of its rules
   */
  rules?: {
    /**
     * @minItems 1
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     *
     * Items: 32 lower-case hex digits
     */
    [k: string]: string[]
  }
  /**
   * @minItems 1
   * @maxItems 100
   *
   * Items: Exactly one of `rule` and `tag`; at most one of `key`, `key_pattern` and `json_path`. Without `ruleset`: in every managed ruleset of the phase.
   */
  targets?: {
    /**
     * 32 lower-case hex digits
     */
    rule?: string
    tag?: string
    /**
     * 32 lower-case hex digits
     */
    ruleset?: string
    collection:
      | 'ARGS'
      | 'ARGS_GET'
      | 'ARGS_GET_NAMES'
      | 'ARGS_NAMES'
      | 'ARGS_POST'
      | 'ARGS_POST_NAMES'
      | 'FILES'
      | 'FILES_NAMES'
      | 'MULTIPART_PART_HEADERS'
      | 'REQUEST_COOKIES'
      | 'REQUEST_COOKIES_NAMES'
      | 'REQUEST_HEADERS'
      | 'REQUEST_HEADERS_NAMES'
      | 'RESPONSE_HEADERS'
      | 'RESPONSE_HEADERS_NAMES'
      | 'QUERY_STRING'
      | 'REQUEST_BASENAME'
      | 'REQUEST_BODY'
      | 'REQUEST_FILENAME'
      | 'REQUEST_LINE'
      | 'REQUEST_METHOD'
      | 'REQUEST_PROTOCOL'
      | 'REQUEST_URI'
      | 'REQUEST_URI_RAW'
      | 'RESPONSE_BODY'
      | 'RESPONSE_STATUS'
    key?: string
    key_pattern?: string
    json_path?: string
  }[]
}
export interface RulesetSummary {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  source?: string
  kind: 'managed' | 'custom' | 'root' | 'zone'
  version: string
  last_updated: string
  phase:
    | 'http_request_sanitize'
    | 'http_request_dynamic_redirect'
    | 'http_request_transform'
    | 'http_config_settings'
    | 'http_request_origin'
    | 'http_request_firewall_custom'
    | 'http_ratelimit'
    | 'http_request_firewall_managed'
    | 'http_request_late_transform'
    | 'http_response_headers_transform'
    | 'http_response_firewall_managed'
    | 'http_log_custom_fields'
}
export interface Ruleset {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  source?: string
  kind: 'managed' | 'custom' | 'root' | 'zone'
  version: string
  last_updated: string
  phase:
    | 'http_request_sanitize'
    | 'http_request_dynamic_redirect'
    | 'http_request_transform'
    | 'http_config_settings'
    | 'http_request_origin'
    | 'http_request_firewall_custom'
    | 'http_ratelimit'
    | 'http_request_firewall_managed'
    | 'http_request_late_transform'
    | 'http_response_headers_transform'
    | 'http_response_firewall_managed'
    | 'http_log_custom_fields'
  rules: Rule[]
}
export interface RulesetInput {
  /**
   * `custom`, `root` (of an account) or `zone`
   */
  kind: string
  name: string
  /**
   * one of http_request_sanitize, http_request_dynamic_redirect, http_request_transform, http_config_settings, http_request_origin, http_request_firewall_custom, http_ratelimit, http_request_firewall_managed, http_request_late_transform, http_response_headers_transform, http_response_firewall_managed, http_log_custom_fields
   */
  phase: string
  description?: string
  rules?: (
    | (
        | {
            action: 'block'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {
              response?: {
                status_code: number
                content: string
                content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
              }
            }
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'execute'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersExecute
          }
        | {
            action: 'js_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log_custom_field'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersLogCustomField
          }
        | {
            action: 'managed_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'redirect'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRedirect
          }
        | {
            action: 'rewrite'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRewrite
          }
        | {
            action: 'route'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRoute
          }
        | {
            action: 'set_config'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSetConfig
          }
        | {
            action: 'skip'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSkip
            logging?: {
              enabled: boolean
            }
          }
      )
    | {
        /**
         * 32 lower-case hex digits
         */
        id: string
        version?: unknown
        last_updated?: unknown
        categories?: unknown
        score_threshold?: unknown
      }
  )[]
}
export interface RulesetUpdate {
  /**
   * unchanged
   */
  kind?: string
  /**
   * unchanged
   */
  name?: string
  /**
   * unchanged
   */
  phase?: string
  description?: string
  rules?: (
    | (
        | {
            action: 'block'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {
              response?: {
                status_code: number
                content: string
                content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
              }
            }
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'execute'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersExecute
          }
        | {
            action: 'js_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log_custom_field'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersLogCustomField
          }
        | {
            action: 'managed_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'redirect'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRedirect
          }
        | {
            action: 'rewrite'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRewrite
          }
        | {
            action: 'route'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRoute
          }
        | {
            action: 'set_config'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSetConfig
          }
        | {
            action: 'skip'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSkip
            logging?: {
              enabled: boolean
            }
          }
      )
    | {
        /**
         * 32 lower-case hex digits
         */
        id: string
        version?: unknown
        last_updated?: unknown
        categories?: unknown
        score_threshold?: unknown
      }
  )[]
  id?: unknown
  version?: unknown
  last_updated?: unknown
  source?: unknown
}
export interface EntryPointUpdate {
  /**
   * of a new entry point
   */
  name?: string
  description?: string
  rules?: (
    | (
        | {
            action: 'block'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {
              response?: {
                status_code: number
                content: string
                content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
              }
            }
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'execute'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersExecute
          }
        | {
            action: 'js_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'log_custom_field'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersLogCustomField
          }
        | {
            action: 'managed_challenge'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters?: {}
            ratelimit?: {
              /**
               * @minItems 1
               * @maxItems 20
               */
              characteristics: string[]
              period: number
              requests_per_period?: number
              mitigation_timeout?: number
              counting_expression?: string
              requests_to_origin?: boolean
              score_per_period?: number
              /**
               * the name of a header
               */
              score_response_header_name?: string
            }
          }
        | {
            action: 'redirect'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRedirect
          }
        | {
            action: 'rewrite'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRewrite
          }
        | {
            action: 'route'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersRoute
          }
        | {
            action: 'set_config'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSetConfig
          }
        | {
            action: 'skip'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersSkip
            logging?: {
              enabled: boolean
            }
          }
      )
    | {
        /**
         * 32 lower-case hex digits
         */
        id: string
        version?: unknown
        last_updated?: unknown
        categories?: unknown
        score_threshold?: unknown
      }
  )[]
}
export interface Position {
  /**
   * a rule id; empty: before all others
   */
  before?: string
  /**
   * a rule id; empty: after all others
   */
  after?: string
  /**
   * from 1, in the resulting list
   */
  index?: number
}
export interface RateLimit {
  /**
   * @minItems 1
   * @maxItems 20
   */
  characteristics: string[]
  period: number
  requests_per_period?: number
  mitigation_timeout?: number
  counting_expression?: string
  requests_to_origin?: boolean
  score_per_period?: number
  /**
   * the name of a header
   */
  score_response_header_name?: string
}
export interface ParametersBlock {
  response?: {
    status_code: number
    content: string
    content_type: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
  }
}
export interface ParametersChallenge {}
export interface ParametersJsChallenge {}
export interface ParametersLog {}
export interface ParametersManagedChallenge {}
export interface List {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  kind: 'ip' | 'hostname' | 'asn' | 'redirect'
  num_items: number
  num_referencing_filters: number
  created_on: string
  modified_on: string
}
export interface ListItem {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * in lists of kind `ip`
   */
  ip?: string
  /**
   * in lists of kind `hostname`
   */
  hostname?: {
    url_hostname: string
  }
  /**
   * in lists of kind `asn`
   */
  asn?: number
  /**
   * in lists of kind `redirect`
   */
  redirect?: {}
  comment?: string
  created_on: string
  modified_on: string
}
export interface ListItemIds {
  items: {
    /**
     * 32 lower-case hex digits
     */
    id: string
  }[]
}
export interface OperationId {
  /**
   * 32 lower-case hex digits
   */
  operation_id: string
}
export interface ListOperation {
  /**
   * 32 lower-case hex digits
   */
  id: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  completed?: string
  error?: string
}
export interface EdgeAddress {
  url: string | null
}
export interface OriginCheck {
  reachable: boolean
  status: number | null
  /**
   * for a person
   */
  message: string
}
export interface CrsRelease {
  /**
   * of the managed rulesets
   */
  version: string
  crs_version: string
  imported_on: string
  origin: string
  /**
   * is it what `latest` means?
   */
  active: boolean
}
export interface CrsComparison {
  from: CrsRelease
  to: CrsRelease
  added: {
    /**
     * its number in the CRS
     */
    id: number
    file: string
    message: string
    severity: string
    /**
     * 0 when it belongs to no level
     */
    paranoia_level: number
    tags: string[]
  }[]
  changed: {
    id: number
    file: string
    message: string
    /**
     * what is different: message, severity, paranoia_level, tags, text
     */
    members: string[]
    /**
     * of each of these, `from` and `to`
     */
    changes: {}
  }[]
  removed: {
    /**
     * its number in the CRS
     */
    id: number
    file: string
    message: string
    severity: string
    /**
     * 0 when it belongs to no level
     */
    paranoia_level: number
    tags: string[]
  }[]
}
export interface CrsUpstream {
  crs_version: string | null
  checked_on: string
  error: string | null
}
export interface AccountPermissions {
  /**
   * names of permission groups
   */
  account: string[]
  /**
   * on every zone of the account, those to come included
   */
  zones: string[]
  /**
   * on the user behind the credentials
   */
  user: string[]
}
export interface ZonePermissions {
  /**
   * names of permission groups
   */
  zone: string[]
}
export interface Shadow {
  enabled: boolean
  /**
   * `latest` or a version of the managed ruleset
   */
  version: string
  paranoia_level: number
  score_threshold: number
  sample_rate: number
  modified_on: string
}
export interface LogpushJobInput {
  name?: string | null
  enabled?: boolean
  frequency?: ('high' | 'low') | null
  kind?: ('' | 'edge') | null
  logpull_options?: string | null
  output_options?: {} | null
  filter?: string | null
  filter_attack_traffic?: boolean | null
  max_upload_bytes?: number | null
  max_upload_interval_seconds?: number | null
  max_upload_records?: number | null
  dataset?: string | null
  ownership_challenge?: string | null
  start?: (string | number) | null
  destination_conf: string
}
export interface LogpushJobUpdate {
  name?: string | null
  enabled?: boolean
  frequency?: ('high' | 'low') | null
  kind?: ('' | 'edge') | null
  logpull_options?: string | null
  output_options?: {} | null
  filter?: string | null
  filter_attack_traffic?: boolean | null
  max_upload_bytes?: number | null
  max_upload_interval_seconds?: number | null
  max_upload_records?: number | null
  dataset?: string | null
  ownership_challenge?: string | null
  start?: (string | number) | null
  destination_conf?: string
}
export interface LogpushJob {
  id: number
  dataset: string
  name?: string | null
  enabled?: boolean
  frequency?: ('high' | 'low') | null
  kind?: ('' | 'edge') | null
  logpull_options?: string | null
  output_options?: {} | null
  filter?: string | null
  filter_attack_traffic?: boolean | null
  max_upload_bytes?: number | null
  max_upload_interval_seconds?: number | null
  max_upload_records?: number | null
  /**
   * masked for credentials that may not change it
   */
  destination_conf: string
  last_complete: string | null
  last_error: string | null
  error_message: string | null
}
export interface JobId {
  id: number
}
export interface LogpushReplay {
  id: number
  job_id: number
  /**
   * included
   */
  start: string
  /**
   * not included
   */
  end: string
  retained_since: string | null
  status: 'running' | 'completed' | 'failed' | 'canceled'
  created_on: string
  completed_on: string | null
  lines: number
  objects: number
  error_message: string | null
}
export interface LogpushHealth {
  state: 'disabled' | 'running' | 'retrying' | 'paused'
  lag_seconds: number
  oldest_undelivered: string | null
  last_complete: string | null
  last_error: string | null
  error_message: string | null
  retained_since: string | null
  totals: {
    successful: {
      uploads: number
      lines: number
      bytes: number
      bytes_compressed: number
    }
    retry: {
      uploads: number
      lines: number
      bytes: number
      bytes_compressed: number
    }
    failed: {
      uploads: number
      lines: number
      bytes: number
      bytes_compressed: number
    }
    missing: {
      uploads: number
      lines: number
      bytes: number
      bytes_compressed: number
    }
  }
  hours: {
    hour: string
    outcome: 'successful' | 'retry' | 'failed' | 'missing'
    /**
     * HTTP status, or what went wrong in a word
     */
    status: string
    uploads: number
    lines: number
    bytes: number
    bytes_compressed: number
  }[]
  /**
   * how far the job was behind at worst in each hour that it ran in
   */
  lags: {
    hour: string
    lag_seconds_max: number
  }[]
}
export interface Redaction {
  authorization: boolean
  cookies: boolean
  query_credentials: boolean
  card_numbers: boolean
  /**
   * @maxItems 100
   */
  query_parameters: string[]
}
export interface InstantSession {
  session_id: string
  /**
   * Address of the WebSocket
   */
  destination_conf: string
  kind: 'instant-logs'
  fields: string
  filter: string
  sample: number
}
export interface LogSample {
  /**
   * newest first, with the fields that have a value; times are nanoseconds as text
   */
  records: {
    [k: string]: unknown
  }[]
  newest: string | null
  oldest: string | null
  /**
   * records of all zones and datasets that were read
   */
  looked_at: number
  /**
   * fewer than were asked for, though older records are kept that were not looked at
   */
  limited: boolean
}
export interface LogRetention {
  flag: boolean
}
/**
 * Name of a field → its type and meaning
 *
 */
export interface Fields {
  [k: string]: string
}
export interface Ownership {
  filename: string
  valid: boolean
  message: string
}
export interface Valid {
  valid: boolean
  message?: string
}
export interface Exists {
  exists: boolean
}
export interface SecurityEvent {
  /**
   * Of the event; no other event of the zone has it
   */
  id: string
  datetime: string
  ray_id: string
  /**
   * In lower case: block, managedchallenge, log, skip, …
   */
  action: string
  /**
   * firewallcustom, firewallmanaged, ratelimit or securitylevel
   */
  source: string
  /**
   * The rule that acted; of a managed ruleset its last rule
   */
  rule_id: string
  ref: string
  description: string
  /**
   * Place among the events of the request, counted from the last, which has 0
   */
  match_index: number
  client_ip: string
  client_asn: number
  client_country: string
  method: string
  scheme: string
  host: string
  path: string
  /**
   * With its question mark
   */
  query: string
  protocol: string
  user_agent: string
  referer: string
  edge_status: number
  /**
   * 0 when the origin was not asked
   */
  origin_status: number
  metadata: {
    type?: 'customer' | 'managed'
    ruleset_id?: string
    ruleset_version?: string
    version?: string
    /**
     * What the request came to
     */
    score?: number
    /**
     * What the last rule acts at
     */
    threshold?: number
    rules?: {
      /**
       * Of the rule in the managed ruleset
       */
      id: string
      /**
       * Its number in the CRS
       */
      ref: string
      score: number
      /**
       * The score up to here
       */
      total: number
      /**
       * What matched, such as ARGS:q; never the value
       */
      target: string
    }[]
    /**
     * How many more matched than are listed
     */
    rules_omitted?: number
    /**
     * The payload; docs/payload-logging.md
     */
    encrypted_matched_data?: string
    /**
     * What the shadow of the zone found
     */
    shadow?: {}
    [k: string]: unknown
  }
}
export interface SecurityRay {
  ray_id: string
  datetime: string
  /**
   * Those with security rules, in the order in which a request goes through them
   */
  phases: {
    phase: string
    /**
     * ended: a rule here answered the request; acted: rules did something and it went on; matched: managed rules matched and nothing was done; passed: nothing matched; not_reached: an earlier phase ended it; unknown: the request record, which would say, is not kept any more
     */
    outcome: 'ended' | 'acted' | 'matched' | 'passed' | 'not_reached' | 'unknown'
    rules: {
      action: string | null
      /**
       * Empty where the record does not say: managed rules that did nothing
       */
      rule_id: string
      ref: string
      description: string
      ruleset_id: string
      score: number | null
      threshold: number | null
      matched: {
        /**
         * Of the rule in the managed ruleset
         */
        id: string
        /**
         * Its number in the CRS
         */
        ref: string
        score: number
        /**
         * The score up to here
         */
        total: number
        /**
         * What matched, such as ARGS:q; never the value
         */
        target: string
      }[]
      matched_omitted: number
    }[]
  }[]
  events: SecurityEvent[]
  request: {
    [k: string]: unknown
  } | null
  /**
   * not_kept: the record log was searched whole; unfinished: it was not, for it is too long, or too many search it
   */
  request_search: 'found' | 'not_kept' | 'unfinished'
}
export interface SecuritySeries {
  /**
   * Of group_by; of none requests, mitigated and events, with a filter events
   */
  value: string
  /**
   * Of matched_rule_id: the number in the CRS; else empty
   */
  ref: string
  total: number
  /**
   * One for each step
   */
  counts: number[]
}
export interface SecurityTimeseries {
  /**
   * Included. As answered: of whole steps; with a filter the newest part of a range with very many events
   */
  since: string
  /**
   * Not included
   */
  until: string
  /**
   * Seconds, as answered: an hour when there are too many events to count them by the dimension in smaller steps
   */
  step: number
  group_by: 'none' | 'action' | 'rule_id' | 'matched_rule_id' | 'path' | 'client_ip' | 'country'
  /**
   * The largest, largest first
   */
  series: SecuritySeries[]
  other: SecuritySeries | null
}
export interface SecurityTop {
  /**
   * Included. As answered: of whole steps; with a filter the newest part of a range with very many events
   */
  since: string
  /**
   * Not included
   */
  until: string
  by: 'rule_id' | 'matched_rule_id' | 'path' | 'client_ip' | 'country' | 'user_agent' | 'host'
  values: {
    value: string
    /**
     * Of matched_rule_id: the number in the CRS; else empty
     */
    ref: string
    events: number
    /**
     * Of these, those whose action held the request up
     */
    mitigated: number
  }[]
  /**
   * Events of all other values; an event with several matched rules counts for each
   */
  other_events: number
  total_events: number
}
export interface SecurityRuleHits {
  day: {
    /**
     * Included. As answered: of whole steps; with a filter the newest part of a range with very many events
     */
    since: string
    /**
     * Not included
     */
    until: string
  }
  week: {
    /**
     * Included. As answered: of whole steps; with a filter the newest part of a range with very many events
     */
    since: string
    /**
     * Not included
     */
    until: string
  }
  /**
   * Every rule with hits in the week, most hits first
   */
  rules: {
    rule_id: string
    ref: string
    day: {
      /**
       * Requests that the rule matched, acted on or not
       */
      hits: number
      /**
       * Of these, those that were held up, by this rule or another
       */
      mitigated: number
      /**
       * Of these, those that went on to the origin and were answered with a status below 400
       */
      passed_well: number
      false_positive_share: number | null
    }
    week: {
      /**
       * Requests that the rule matched, acted on or not
       */
      hits: number
      /**
       * Of these, those that were held up, by this rule or another
       */
      mitigated: number
      /**
       * Of these, those that went on to the origin and were answered with a status below 400
       */
      passed_well: number
      false_positive_share: number | null
    }
  }[]
}
export interface SecurityOverview {
  /**
   * Included. As answered: of whole steps; with a filter the newest part of a range with very many events
   */
  since: string
  /**
   * Not included
   */
  until: string
  requests: number
  mitigated: number
  events: number
  /**
   * Sent to clients
   */
  bytes: number
  /**
   * Sent by clients
   */
  request_bytes: number
  statuses: {
    /**
     * A rule dropped the connection
     */
    none: number
    '1xx': number
    '2xx': number
    '3xx': number
    '4xx': number
    '5xx': number
  }
  mitigated_by_action: {
    value: string
    requests: number
  }[]
  mitigated_by_source: {
    value: string
    requests: number
  }[]
}
export interface SecurityAccountOverview {
  hour: {
    requests: number
    mitigated: number
  }
  day: {
    requests: number
    mitigated: number
  }
  /**
   * Those with requests in the last day, most requests first
   */
  zones: {
    id: string
    name: string
    hour: {
      requests: number
      mitigated: number
    }
    day: {
      requests: number
      mitigated: number
    }
  }[]
  /**
   * How many zones had requests, listed or not
   */
  zones_total: number
}
export interface WhatIf {
  /**
   * Included. As answered: whole minutes, and none from before samples are kept
   */
  since: string
  /**
   * Not included
   */
  until: string
  /**
   * As set now
   */
  sample_rate: number
  /**
   * Requests that were sampled
   */
  samples: number
  /**
   * Requests of the zone, sampled or not
   */
  requests: number
  /**
   * samples / requests
   */
  sample_share: number
  /**
   * Samples of requests that the zone held up: block, challenges, closed connections
   */
  held_up: number
  /**
   * Requests that were drawn and left out, for want of processor time or room
   */
  left_out: number
  /**
   * Samples whose rules were not evaluated to the end
   */
  incomplete: number
  cost: {
    /**
     * Samples that were evaluated once more; where the zone runs every level, its own run tells all
     */
    evaluated: number
    cpu_ms: number
    /**
     * Of those that were evaluated once more
     */
    cpu_ms_per_sample: number
  }
  /**
   * Highest first
   */
  thresholds: number[]
  levels: {
    paranoia_level: number
    cells: {
      threshold: number
      /**
       * Samples whose score is at or above the threshold, or that a rule stops by itself
       */
      acted_on: number
      /**
       * acted_on / samples
       */
      share: number
    }[]
  }[]
}
export interface WhatIfCell {
  /**
   * Included. As answered: whole minutes, and none from before samples are kept
   */
  since: string
  /**
   * Not included
   */
  until: string
  paranoia_level: number
  samples: number
  threshold: number
  /**
   * Samples whose score is at or above the threshold, or that a rule stops by itself
   */
  acted_on: number
  /**
   * acted_on / samples
   */
  share: number
  /**
   * Of acted_on: requests that the zone did not hold up
   */
  acted_on_anew: number
  /**
   * Samples of requests that the zone held up, and that would go through
   */
  let_through: number
  /**
   * Most first
   */
  paths: {
    value: string
    samples: number
  }[]
  /**
   * Most first
   */
  clients: {
    value: string
    samples: number
  }[]
  /**
   * Rules that score at the level, most samples first
   */
  rules: {
    /**
     * Of the rule in the managed ruleset
     */
    id: string
    /**
     * Its number in the CRS
     */
    ref: string
    description: string
    samples: number
  }[]
  /**
   * The newest
   */
  examples: {
    datetime: string
    ray_id: string
    client_ip: string
    client_country: string
    host: string
    method: string
    path: string
    /**
     * What was done, in lower case; empty when nothing
     */
    action: string
    /**
     * At the level
     */
    score: number
    /**
     * At levels 1 to 4
     */
    scores: number[]
    /**
     * A rule stops it by itself, whatever the score
     */
    stopped_by_rule: boolean
    rules: {
      /**
       * Of the rule in the managed ruleset
       */
      id: string
      /**
       * Its number in the CRS
       */
      ref: string
      score: number
      description: string
      /**
       * The lowest at which the rule is on in this zone
       */
      paranoia_level: number
      /**
       * It is on at the level
       */
      counts: boolean
    }[]
  }[]
}
export interface WhatIfSampling {
  /**
   * Share of the requests, 0 to 1; 0 is off
   */
  sample_rate: number
}
export interface ExceptionPreview {
  /**
   * Events before it were not looked at
   */
  since: string
  until: string
  /**
   * False when there are too many events: the newest were looked at, back to since
   */
  complete: boolean
  /**
   * Recorded events of the range
   */
  events: number
  /**
   * Of these, events that the expression matches
   */
  matched: number
  /**
   * Matched events that were held up and would not be any more
   */
  let_through: number
  /**
   * The same, if the rules match nowhere but where the event says: it names the first match of each rule
   */
  possibly_let_through: number
  /**
   * Events that would be let through if the expression matched, which depends on fields that events do not record
   */
  undecided: number
  /**
   * Matched events whose remaining score is at or above the threshold
   */
  still_held_up: number
  /**
   * Matched events that were only logged, or whose challenge was passed
   */
  not_held_up: number
  /**
   * Matched events of rules that the exception does not touch
   */
  unaffected: number
  /**
   * Fields that would have decided what is undecided
   */
  unknown_fields: {
    name: string
    events: number
  }[]
  /**
   * The newest few of each outcome
   */
  examples: {
    /**
     * As the counts of the answer
     */
    outcome:
      'let_through' | 'possibly_let_through' | 'undecided' | 'still_held_up' | 'not_held_up' | 'unaffected'
    datetime: string
    ray_id: string
    client_ip: string
    client_country: string
    host: string
    method: string
    path: string
    /**
     * What was done, in lower case; empty when nothing
     */
    action: string
    /**
     * The rule that acted; of a managed ruleset its last rule
     */
    rule_id: string
    score: number
    /**
     * Without the skipped rules
     */
    remaining_score: number
    threshold: number
    rules: {
      /**
       * Of the rule in the managed ruleset
       */
      id: string
      /**
       * Its number in the CRS
       */
      ref: string
      score: number
      /**
       * What matched first, such as ARGS:q; never the value
       */
      target: string
      skipped: boolean
    }[]
    unknown_fields: string[]
  }[]
}
export interface TraceInput {
  method: string
  url: string
  /**
   * At most one of the three
   */
  body?: {
    base64?: string
    json?: unknown
    plain_text?: string
  }
  context?: {
    /**
     * Not used: the edge works it out from the headers
     */
    bot_score?: number
    /**
     * Who asks; 192.0.2.1 without it. Sluice’s own
     */
    client_ip?: string
    geoloc?: {
      city?: string
      /**
       * Follows from the country; not used
       */
      continent?: string
      /**
       * Follows from the country; not used
       */
      is_eu_country?: boolean
      /**
       * Country, such as DE
       */
      iso_code?: string
      latitude?: number
      longitude?: number
      postal_code?: string
      region_code?: string
      subdivision_2_iso_code?: string
      timezone?: string
    }
    /**
     * The client has solved its challenge
     */
    skip_challenge?: boolean
    /**
     * Not used: no rule can ask for it
     */
    threat_score?: number
  }
  cookies?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string
  }
  /**
   * In this order; an array stands for several lines of the name, which is Sluice’s own
   */
  headers?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string | string[]
  }
  protocol?: 'HTTP/1.0' | 'HTTP/1.1'
  /**
   * The origin is not asked in any case
   */
  skip_response?: boolean
}
export interface TraceItem {
  type: 'phase' | 'ruleset' | 'rule'
  /**
   * Name of the phase, id of the ruleset or rule
   */
  step_name: string
  /**
   * Did it, or anything below it, match?
   */
  matched: boolean
  trace?: TraceItem[]
  /**
   * Of a ruleset
   */
  name?: string
  /**
   * Of a ruleset
   */
  kind?: string
  description?: string
  /**
   * Of a rule
   */
  expression?: string
  /**
   * Of a rule
   */
  action?: string
  action_parameters?: unknown
  /**
   * Of a phase: false when the request was over before. Sluice’s own, as all that follow
   */
  reached?: boolean
  /**
   * Of a ruleset
   */
  version?: string
  level?: 'account' | 'zone'
  /**
   * Of a rule; of the OWASP ruleset its number, such as 942100
   */
  ref?: string
  /**
   * failed: its expression costs too much on this request
   */
  evaluation?: 'matched' | 'not_matched' | 'skipped' | 'not_reached' | 'failed'
  /**
   * The skip rule that left it, or what it executes, out
   */
  skipped_by?: string
  /**
   * What it did, as records spell actions
   */
  did?: string
  /**
   * Of a managed ruleset: what the request came to
   */
  score?: number
  /**
   * Of a managed ruleset: what its last rule acts at
   */
  score_threshold?: number
  /**
   * Of a managed ruleset: false when its last rule is switched off or skipped
   */
  acts?: boolean
  /**
   * Of a managed ruleset: its last rule took the action
   */
  acted?: boolean
  /**
   * Of a managed ruleset: not all of its rules were evaluated
   */
  incomplete?: boolean
  /**
   * Of a managed ruleset: rules that are switched on
   */
  rules_on?: number
  /**
   * Of a managed ruleset: how many more matched than are listed
   */
  matches_omitted?: number
  /**
   * Of a rule of a managed ruleset; Sluice’s own
   */
  match?: {
    /**
     * What matched, such as ARGS:q
     */
    target: string
    /**
     * What matched there, after transformations; bytes that are not printable as \xHH
     */
    value: string
    /**
     * What the rule says of it
     */
    data: string
    /**
     * Points that it added
     */
    score: number
    /**
     * The score up to here
     */
    total: number
    score_threshold: number
    /**
     * Of the rule engine, 1 to 5
     */
    phase: number
    /**
     * 0 for none
     */
    paranoia_level: number
    severity: string
    tags: string[]
    /**
     * What the rule asks, and of which values; empty when the body is longer than 64 KB
     */
    conditions: {
      /**
       * Such as @rx or !@within; empty when the rule asks nothing
       */
      operator: string
      parameter: string
      values: {
        target: string
        /**
         * As it came
         */
        original: string
        /**
         * Transformations that changed it
         */
        steps: {
          transformation: string
          value: string
        }[]
        /**
         * The part that matched; empty for operators that know none
         */
        found: string
      }[]
    }[]
  }
}
export interface RequestTrace {
  /**
   * Of the edge’s own answer; absent when the request goes to the origin
   */
  status_code?: number
  trace: TraceItem[]
  /**
   * Sluice’s own, as all that follow
   */
  zone: {
    id: string
    name: string
  }
  /**
   * Of this trace; no record has it
   */
  ray_id: string
  outcome: {
    /**
     * To the origin; answered by the edge itself; closed without an answer
     */
    kind: 'forward' | 'answer' | 'drop'
    /**
     * What ended the request, as records spell it
     */
    action?: string
    /**
     * The rule that ended it
     */
    rule_id?: string
    /**
     * Why the edge refuses it, where no rule does
     */
    reason?: string
    /**
     * Where the answer leads to
     */
    location?: string
    /**
     * Path and query as the origin gets them
     */
    uri?: string
    /**
     * The Host header that the origin gets
     */
    host?: string
  }
  /**
   * What would be logged, secrets taken out
   */
  records: {
    http_requests: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    firewall_events: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }[]
    /**
     * Fields that only a real request fills
     */
    not_known: string[]
  }
}
export interface Token {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  status: 'active' | 'disabled' | 'expired'
  issued_on: string
  modified_on: string
  last_used_on?: string
  not_before?: string
  expires_on?: string
  policies: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    effect: 'allow' | 'deny'
    permission_groups: {
      /**
       * 32 lower-case hex digits
       */
      id: string
      name: string
    }[]
    /**
     * Resource name → `*`, or an object of the zones inside an account
     */
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * IP addresses and CIDR blocks
       */
      in?: string[]
      /**
       * IP addresses and CIDR blocks
       */
      not_in?: string[]
    }
  }
}
export interface CreatedToken {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  status: 'active' | 'disabled' | 'expired'
  issued_on: string
  modified_on: string
  last_used_on?: string
  not_before?: string
  expires_on?: string
  policies: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    effect: 'allow' | 'deny'
    permission_groups: {
      /**
       * 32 lower-case hex digits
       */
      id: string
      name: string
    }[]
    /**
     * Resource name → `*`, or an object of the zones inside an account
     */
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * IP addresses and CIDR blocks
       */
      in?: string[]
      /**
       * IP addresses and CIDR blocks
       */
      not_in?: string[]
    }
  }
  /**
   * the secret, shown this once
   */
  value: string
}
export interface TokenStatus {
  /**
   * 32 lower-case hex digits
   */
  id: string
  status: 'active' | 'disabled' | 'expired'
  not_before?: string
  expires_on?: string
}
export interface PermissionGroup {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  scopes: string[]
  category: string
  /**
   * may the credentials of the request give it to a token?
   */
  is_selectable: boolean
}
export interface AuditLog {
  /**
   * 32 lower-case hex digits
   */
  id: string
  when: string
  action: {
    type: string
    result: boolean
  }
  actor: {
    id: string
    email?: string
    ip: string
    type: string
  }
  interface: string
  metadata: {}
  owner: {
    /**
     * 32 lower-case hex digits
     */
    id: string
  }
  resource: {
    id: string
    type: string
  }
  oldValue: string
  oldValueJson: unknown
  newValue: string
  newValueJson: unknown
}
export interface CreateZoneBody {
  name: string
  account: {
    id: string
  }
  type?: 'full'
  origin: {
    url: string
  }
}
export interface EditZoneBody {
  paused?: boolean
  type?: 'full'
  origin?: {
    url: string
  }
}
export interface CreateUserTokenBody {
  name: string
  /**
   * @minItems 1
   * @maxItems 50
   */
  policies: {
    id?: string
    effect: 'allow' | 'deny'
    /**
     * @minItems 1
     * @maxItems 100
     */
    permission_groups: {
      id: string
      name?: string
      meta?: {}
    }[]
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * @maxItems 100
       */
      in?: string[]
      /**
       * @maxItems 100
       */
      not_in?: string[]
    }
  }
  not_before?: string
  expires_on?: string
  status?: 'active' | 'disabled' | 'expired'
}
export interface UpdateUserTokenBody {
  name: string
  /**
   * @minItems 1
   * @maxItems 50
   */
  policies: {
    id?: string
    effect: 'allow' | 'deny'
    /**
     * @minItems 1
     * @maxItems 100
     */
    permission_groups: {
      id: string
      name?: string
      meta?: {}
    }[]
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * @maxItems 100
       */
      in?: string[]
      /**
       * @maxItems 100
       */
      not_in?: string[]
    }
  }
  not_before?: string
  expires_on?: string
  status?: 'active' | 'disabled' | 'expired'
}
export interface CreateListBody {
  name: string
  kind: 'ip' | 'hostname' | 'asn' | 'redirect'
  description?: string | null
}
export interface UpdateListBody {
  description?: string | null
  name?: string
  kind?: string
}
export interface UseCrsReleaseBody {
  active: true
}
export interface CheckOriginBody {
  origin: {
    url: string
  }
  /**
   * name of the zone, which the origin is asked for
   */
  host?: string
}
export interface CreateAccountTokenBody {
  name: string
  /**
   * @minItems 1
   * @maxItems 50
   */
  policies: {
    id?: string
    effect: 'allow' | 'deny'
    /**
     * @minItems 1
     * @maxItems 100
     */
    permission_groups: {
      id: string
      name?: string
      meta?: {}
    }[]
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * @maxItems 100
       */
      in?: string[]
      /**
       * @maxItems 100
       */
      not_in?: string[]
    }
  }
  not_before?: string
  expires_on?: string
  status?: 'active' | 'disabled' | 'expired'
}
export interface UpdateAccountTokenBody {
  name: string
  /**
   * @minItems 1
   * @maxItems 50
   */
  policies: {
    id?: string
    effect: 'allow' | 'deny'
    /**
     * @minItems 1
     * @maxItems 100
     */
    permission_groups: {
      id: string
      name?: string
      meta?: {}
    }[]
    resources: {}
  }[]
  condition?: {
    request_ip?: {
      /**
       * @maxItems 100
       */
      in?: string[]
      /**
       * @maxItems 100
       */
      not_in?: string[]
    }
  }
  not_before?: string
  expires_on?: string
  status?: 'active' | 'disabled' | 'expired'
}
export interface CreateLogpushReplayAccountBody {
  start: string | number
  end: string | number
}
export interface CreateOwnershipAccountBody {
  destination_conf: string
}
export interface ValidateOwnershipAccountBody {
  destination_conf: string
  ownership_challenge: string
}
export interface ValidateDestinationAccountBody {
  destination_conf: string
}
export interface DestinationExistsAccountBody {
  destination_conf: string
}
export interface ValidateLogpullOptionsAccountBody {
  logpull_options: string | null
  dataset?: string
}
export interface CreateLogpushReplayZoneBody {
  start: string | number
  end: string | number
}
export interface CreateOwnershipZoneBody {
  destination_conf: string
}
export interface ValidateOwnershipZoneBody {
  destination_conf: string
  ownership_challenge: string
}
export interface ValidateDestinationZoneBody {
  destination_conf: string
}
export interface DestinationExistsZoneBody {
  destination_conf: string
}
export interface ValidateLogpullOptionsZoneBody {
  logpull_options: string | null
  dataset?: string
}
export interface CreateInstantLogsBody {
  /**
   * Names with commas between them
   */
  fields?: string
  filter?: string
  /**
   * One in so many records; 1 is every record
   */
  sample?: number
  kind?: '' | 'instant-logs'
}
export interface CreateInstantLogsOldBody {
  /**
   * Names with commas between them
   */
  fields?: string
  filter?: string
  /**
   * One in so many records; 1 is every record
   */
  sample?: number
  kind?: '' | 'instant-logs'
}
export interface SetLogRetentionBody {
  flag: boolean
}
export interface UpdateRedactionBody {
  authorization?: boolean
  cookies?: boolean
  query_credentials?: boolean
  card_numbers?: boolean
  /**
   * @maxItems 100
   */
  query_parameters?: string[]
}
export interface PutShadowBody {
  enabled: boolean
  version: string
  paranoia_level: number
  score_threshold: number
  sample_rate: number
}
export interface PreviewExceptionBody {
  /**
   * Which requests the exception is for
   */
  expression: string
  /**
   * Of the skip rule, in the entry point of http_request_firewall_managed: ruleset, rulesets, rules or targets
   */
  action_parameters: {
    [k: string]: unknown
  }
  /**
   * Included; a day before `until` unless given. Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z
   */
  since?: string
  /**
   * Not included; now unless given
   */
  until?: string
}

/** Method and path below /client/v4 → what goes in and comes out. */
export interface Operations {
  "DELETE /accounts/{account_id}/logpush/jobs/{job_id}": { result: JobId; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/rules/lists/{list_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemIds; query: undefined }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}/versions/{version}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/tokens/{token_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /user/tokens/{token_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/logpush/edge/jobs": { result: InstantSession[]; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/logpush/jobs/{job_id}": { result: JobId; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}/versions/{version}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/waf/shadow": { result: Shadow; body: undefined; query: undefined }
  "GET /accounts": { result: Account[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "name"?: string } }
  "GET /accounts/{account_id}": { result: Account; body: undefined; query: undefined }
  "GET /accounts/{account_id}/audit_logs": { result: AuditLog[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "id"?: string; "since"?: string; "before"?: string; "zone.name"?: string; "resource.type"?: string; "actor.id"?: string; "actor.email"?: string; "actor.ip"?: string; "action.type"?: string } }
  "GET /accounts/{account_id}/edge": { result: EdgeAddress; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/fields": { result: Fields; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/fields/default": { result: Fields; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/health": { result: LogpushHealth; body: undefined; query: { "since"?: string } }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/replays": { result: LogpushReplay[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/replays/{replay_id}": { result: LogpushReplay; body: undefined; query: undefined }
  "GET /accounts/{account_id}/permissions": { result: AccountPermissions; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rules/lists": { result: List[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rules/lists/bulk_operations/{operation_id}": { result: ListOperation; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rules/lists/{list_id}": { result: List; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rules/lists/{list_id}/items": { result: ListItem[]; body: undefined; query: { "cursor"?: string; "search"?: string; "per_page"?: number } }
  "GET /accounts/{account_id}/rules/lists/{list_id}/items/{item_id}": { result: ListItem; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets": { result: RulesetSummary[]; body: undefined; query: { "cursor"?: string; "per_page"?: number } }
  "GET /accounts/{account_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/phases/{phase}/entrypoint/versions": { result: RulesetSummary[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/phases/{phase}/entrypoint/versions/{version}": { result: Ruleset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/{ruleset_id}": { result: Ruleset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/{ruleset_id}/versions": { result: RulesetSummary[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/{ruleset_id}/versions/{version}": { result: Ruleset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rulesets/{ruleset_id}/versions/{version}/by_tag/{tag}": { result: Ruleset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/security/overview": { result: SecurityAccountOverview; body: undefined; query: { "zone_ids"?: string; "limit"?: number } }
  "GET /accounts/{account_id}/tokens": { result: Token[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "include_expired"?: boolean } }
  "GET /accounts/{account_id}/tokens/permission_groups": { result: PermissionGroup[]; body: undefined; query: { "name"?: string; "scope"?: string } }
  "GET /accounts/{account_id}/tokens/verify": { result: TokenStatus; body: undefined; query: undefined }
  "GET /accounts/{account_id}/tokens/{token_id}": { result: Token; body: undefined; query: undefined }
  "GET /accounts/{account_id}/waf/crs_releases": { result: CrsRelease[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/waf/crs_releases/diff": { result: CrsComparison; body: undefined; query: { "from": string; "to": string } }
  "GET /accounts/{account_id}/waf/crs_releases/upstream": { result: CrsUpstream; body: undefined; query: undefined }
  "GET /accounts/{account_id}/waf/crs_releases/{release}/rules/{number}": { result: CrsRule; body: undefined; query: undefined }
  "GET /openapi.json": { result: unknown; body: undefined; query: undefined }
  "GET /user/tokens": { result: Token[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "include_expired"?: boolean } }
  "GET /user/tokens/permission_groups": { result: PermissionGroup[]; body: undefined; query: { "name"?: string; "scope"?: string } }
  "GET /user/tokens/verify": { result: TokenStatus; body: undefined; query: undefined }
  "GET /user/tokens/{token_id}": { result: Token; body: undefined; query: undefined }
  "GET /zones": { result: Zone[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "name"?: string; "status"?: "initializing" | "pending" | "active" | "moved"; "match"?: "any" | "all"; "order"?: "name" | "status" | "account.id" | "account.name" | "plan.id"; "account.id"?: string; "account.name"?: string } }
  "GET /zones/{zone_id}": { result: Zone; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/datasets/{dataset}/fields": { result: Fields; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/datasets/{dataset}/fields/default": { result: Fields; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/datasets/{dataset}/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/edge": { result: InstantSession[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/edge/jobs": { result: InstantSession[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/jobs/{job_id}/health": { result: LogpushHealth; body: undefined; query: { "since"?: string } }
  "GET /zones/{zone_id}/logpush/jobs/{job_id}/replays": { result: LogpushReplay[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logpush/jobs/{job_id}/replays/{replay_id}": { result: LogpushReplay; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/control/redaction": { result: Redaction; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/control/retention/flag": { result: LogRetention; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/rayids/{ray_id}": { result: unknown; body: undefined; query: { "fields"?: string; "timestamps"?: "unixnano" | "unix" | "rfc3339" } }
  "GET /zones/{zone_id}/logs/received": { result: unknown; body: undefined; query: { "start"?: string; "end": string; "count"?: number; "sample"?: string; "fields"?: string; "timestamps"?: "unixnano" | "unix" | "rfc3339"; "CVE-2021-44228"?: "true" | "false" } }
  "GET /zones/{zone_id}/logs/received/fields": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/sample": { result: LogSample; body: undefined; query: { "count"?: number; "dataset"?: "http_requests" | "firewall_events"; "fields"?: string } }
  "GET /zones/{zone_id}/permissions": { result: ZonePermissions; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets": { result: RulesetSummary[]; body: undefined; query: { "cursor"?: string; "per_page"?: number } }
  "GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint/versions": { result: RulesetSummary[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets/phases/{phase}/entrypoint/versions/{version}": { result: Ruleset; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets/{ruleset_id}": { result: Ruleset; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets/{ruleset_id}/versions": { result: RulesetSummary[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/rulesets/{ruleset_id}/versions/{version}": { result: Ruleset; body: undefined; query: undefined }
  "GET /zones/{zone_id}/security/events": { result: SecurityEvent[]; body: undefined; query: { "since"?: string; "until"?: string; "action"?: string; "source"?: string; "rule_id"?: string; "matched_rule_id"?: string; "ray_id"?: string; "client_ip"?: string; "country"?: string; "method"?: string; "host"?: string; "path"?: string; "user_agent"?: string; "limit"?: number; "cursor"?: string } }
  "GET /zones/{zone_id}/security/events/export": { result: unknown; body: undefined; query: { "since"?: string; "until"?: string; "action"?: string; "source"?: string; "rule_id"?: string; "matched_rule_id"?: string; "ray_id"?: string; "client_ip"?: string; "country"?: string; "method"?: string; "host"?: string; "path"?: string; "user_agent"?: string; "format"?: "ndjson" | "csv" } }
  "GET /zones/{zone_id}/security/overview": { result: SecurityOverview; body: undefined; query: { "since"?: string; "until"?: string } }
  "GET /zones/{zone_id}/security/rays/{ray_id}": { result: SecurityRay; body: undefined; query: undefined }
  "GET /zones/{zone_id}/security/rules": { result: SecurityRuleHits; body: undefined; query: undefined }
  "GET /zones/{zone_id}/security/timeseries": { result: SecurityTimeseries; body: undefined; query: { "since"?: string; "until"?: string; "action"?: string; "source"?: string; "rule_id"?: string; "matched_rule_id"?: string; "ray_id"?: string; "client_ip"?: string; "country"?: string; "method"?: string; "host"?: string; "path"?: string; "user_agent"?: string; "group_by"?: "none" | "action" | "rule_id" | "matched_rule_id" | "path" | "client_ip" | "country"; "step"?: number } }
  "GET /zones/{zone_id}/security/top": { result: SecurityTop; body: undefined; query: { "since"?: string; "until"?: string; "action"?: string; "source"?: string; "rule_id"?: string; "matched_rule_id"?: string; "ray_id"?: string; "client_ip"?: string; "country"?: string; "method"?: string; "host"?: string; "path"?: string; "user_agent"?: string; "by": "rule_id" | "matched_rule_id" | "path" | "client_ip" | "country" | "user_agent" | "host"; "limit"?: number } }
  "GET /zones/{zone_id}/security/what_if": { result: WhatIf; body: undefined; query: { "since"?: string; "until"?: string; "thresholds"?: string } }
  "GET /zones/{zone_id}/security/what_if/cell": { result: WhatIfCell; body: undefined; query: { "since"?: string; "until"?: string; "paranoia_level": number; "threshold": number; "limit"?: number } }
  "GET /zones/{zone_id}/security/what_if/sampling": { result: WhatIfSampling; body: undefined; query: undefined }
  "GET /zones/{zone_id}/waf/crs_releases/{release}/rules/{number}": { result: CrsRule; body: undefined; query: undefined }
  "GET /zones/{zone_id}/waf/shadow": { result: Shadow; body: undefined; query: undefined }
  "PATCH /accounts/{account_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: RuleUpdate; query: { "dry_run"?: "true" | "false" } }
  "PATCH /accounts/{account_id}/waf/crs_releases/{release}": { result: CrsRelease; body: UseCrsReleaseBody; query: undefined }
  "PATCH /zones/{zone_id}": { result: Zone; body: EditZoneBody; query: undefined }
  "PATCH /zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: RuleUpdate; query: { "dry_run"?: "true" | "false" } }
  "POST /accounts/{account_id}/logpush/jobs": { result: LogpushJob; body: LogpushJobInput; query: undefined }
  "POST /accounts/{account_id}/logpush/jobs/{job_id}/replay": { result: LogpushReplay; body: CreateLogpushReplayAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/ownership": { result: Ownership; body: CreateOwnershipAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/ownership/validate": { result: Valid; body: ValidateOwnershipAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/destination": { result: Valid; body: ValidateDestinationAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/destination/exists": { result: Exists; body: DestinationExistsAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/origin": { result: Valid; body: ValidateLogpullOptionsAccountBody; query: undefined }
  "POST /accounts/{account_id}/origin_check": { result: OriginCheck; body: CheckOriginBody; query: undefined }
  "POST /accounts/{account_id}/request-tracer/trace": { result: RequestTrace; body: TraceInput; query: undefined }
  "POST /accounts/{account_id}/rules/lists": { result: List; body: CreateListBody; query: undefined }
  "POST /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemsInput; query: undefined }
  "POST /accounts/{account_id}/rulesets": { result: Ruleset; body: RulesetInput; query: { "dry_run"?: "true" | "false" } }
  "POST /accounts/{account_id}/rulesets/{ruleset_id}/rules": { result: Ruleset; body: RuleInput; query: { "dry_run"?: "true" | "false" } }
  "POST /accounts/{account_id}/tokens": { result: CreatedToken; body: CreateAccountTokenBody; query: undefined }
  "POST /accounts/{account_id}/waf/crs_releases": { result: CrsRelease; body: undefined; query: undefined }
  "POST /user/tokens": { result: CreatedToken; body: CreateUserTokenBody; query: undefined }
  "POST /zones": { result: Zone; body: CreateZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/edge": { result: InstantSession; body: CreateInstantLogsOldBody; query: undefined }
  "POST /zones/{zone_id}/logpush/edge/jobs": { result: InstantSession; body: CreateInstantLogsBody; query: undefined }
  "POST /zones/{zone_id}/logpush/jobs": { result: LogpushJob; body: LogpushJobInput; query: undefined }
  "POST /zones/{zone_id}/logpush/jobs/{job_id}/replay": { result: LogpushReplay; body: CreateLogpushReplayZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/ownership": { result: Ownership; body: CreateOwnershipZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/ownership/validate": { result: Valid; body: ValidateOwnershipZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/validate/destination": { result: Valid; body: ValidateDestinationZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/validate/destination/exists": { result: Exists; body: DestinationExistsZoneBody; query: undefined }
  "POST /zones/{zone_id}/logpush/validate/origin": { result: Valid; body: ValidateLogpullOptionsZoneBody; query: undefined }
  "POST /zones/{zone_id}/logs/control/retention/flag": { result: LogRetention; body: SetLogRetentionBody; query: undefined }
  "POST /zones/{zone_id}/rulesets": { result: Ruleset; body: RulesetInput; query: { "dry_run"?: "true" | "false" } }
  "POST /zones/{zone_id}/rulesets/{ruleset_id}/rules": { result: Ruleset; body: RuleInput; query: { "dry_run"?: "true" | "false" } }
  "POST /zones/{zone_id}/security/exceptions/preview": { result: ExceptionPreview; body: PreviewExceptionBody; query: undefined }
  "PUT /accounts/{account_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: LogpushJobUpdate; query: undefined }
  "PUT /accounts/{account_id}/rules/lists/{list_id}": { result: List; body: UpdateListBody; query: undefined }
  "PUT /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemsInput; query: undefined }
  "PUT /accounts/{account_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: EntryPointUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /accounts/{account_id}/rulesets/{ruleset_id}": { result: Ruleset; body: RulesetUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /accounts/{account_id}/tokens/{token_id}": { result: Token; body: UpdateAccountTokenBody; query: undefined }
  "PUT /accounts/{account_id}/tokens/{token_id}/value": { result: TokenValue; body: undefined; query: undefined }
  "PUT /user/tokens/{token_id}": { result: Token; body: UpdateUserTokenBody; query: undefined }
  "PUT /user/tokens/{token_id}/value": { result: TokenValue; body: undefined; query: undefined }
  "PUT /zones/{zone_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: LogpushJobUpdate; query: undefined }
  "PUT /zones/{zone_id}/logs/control/redaction": { result: Redaction; body: UpdateRedactionBody; query: undefined }
  "PUT /zones/{zone_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: EntryPointUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /zones/{zone_id}/rulesets/{ruleset_id}": { result: Ruleset; body: RulesetUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /zones/{zone_id}/security/what_if/sampling": { result: WhatIfSampling; body: WhatIfSampling; query: undefined }
  "PUT /zones/{zone_id}/waf/shadow": { result: Shadow; body: PutShadowBody; query: undefined }
}
