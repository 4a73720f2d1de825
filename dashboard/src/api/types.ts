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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          action: 'compress_response'
          action_parameters: ParametersCompressResponse
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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          exposed_credential_check?: {
            /**
             * a value expression of the rules language
             */
            username_expression: string
            /**
             * a value expression of the rules language
             */
            password_expression: string
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
          action: 'serve_error'
          action_parameters: ParametersServeError
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
      }
    }
  | {
      action: 'compress_response'
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
      action_parameters: ParametersCompressResponse
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
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
      exposed_credential_check?: {
        /**
         * a value expression of the rules language
         */
        username_expression: string
        /**
         * a value expression of the rules language
         */
        password_expression: string
      }
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
      action: 'serve_error'
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
      action_parameters: ParametersServeError
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
   * docs/reference/api.md lists the codes; only `request is not authorized` has none
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
    code?: number
    message: string
  }[]
  /**
   * details for programs; docs/reference/rulesets.md describes those of a stale write
   */
  meta?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
}
export interface Message {
  code: number
  message: string
  type: null
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
export interface User {
  /**
   * 32 lower-case hex digits
   */
  id: string
  email: string
  first_name: string | null
  last_name: string | null
  country: string | null
  telephone: string | null
  zipcode: string | null
  suspended: boolean
  two_factor_authentication_enabled: boolean
  two_factor_authentication_locked: boolean
  has_pro_zones: boolean
  has_business_zones: boolean
  has_enterprise_zones: boolean
  betas: string[]
  organizations: {}[]
}
export interface Member {
  /**
   * 32 lower-case hex digits
   */
  id: string
  email: string
  /**
   * pending until the user has a password, a key or a sign-in at the identity provider
   */
  status: 'accepted' | 'pending'
  roles: Role[]
  user: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    email: string
    first_name: string | null
    last_name: string | null
    two_factor_authentication_enabled: boolean
  }
}
export interface Role {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  permissions: {
    analytics: {
      read: boolean
      write: boolean
    }
    billing: {
      read: boolean
      write: boolean
    }
    cache_purge: {
      read: boolean
      write: boolean
    }
    dns: {
      read: boolean
      write: boolean
    }
    dns_records: {
      read: boolean
      write: boolean
    }
    lb: {
      read: boolean
      write: boolean
    }
    logs: {
      read: boolean
      write: boolean
    }
    organization: {
      read: boolean
      write: boolean
    }
    ssl: {
      read: boolean
      write: boolean
    }
    waf: {
      read: boolean
      write: boolean
    }
    zone_settings: {
      read: boolean
      write: boolean
    }
    zones: {
      read: boolean
      write: boolean
    }
  }
}
export interface CreatedMember {
  /**
   * 32 lower-case hex digits
   */
  id: string
  email: string
  /**
   * pending until the user has a password, a key or a sign-in at the identity provider
   */
  status: 'accepted' | 'pending'
  roles: Role[]
  user: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    email: string
    first_name: string | null
    last_name: string | null
    two_factor_authentication_enabled: boolean
  }
  invitation?: {
    /**
     * sets the password of the user, once; shown this once
     */
    secret: string
    /**
     * the page of the dashboard that takes the password, with the secret
     */
    path: string
    expires_on: string
  }
}
export interface Invitation {
  /**
   * sets the password of the user, once; shown this once
   */
  secret: string
  /**
   * the page of the dashboard that takes the password, with the secret
   */
  path: string
  expires_on: string
}
export interface OwnSignIn {
  password: boolean
  two_factor_authentication: boolean
  /**
   * that are left
   */
  recovery_codes: number
  identity_provider: boolean
}
export interface SignInWays {
  /**
   * whether any user has a password
   */
  password: boolean
  /**
   * whether an identity provider is configured
   */
  identity_provider: boolean
  /**
   * whether the cookie of this request belongs to a session
   */
  signed_in: boolean
}
export interface UserSession {
  /**
   * 32 lower-case hex digits
   */
  id: string
  method: 'password' | 'oidc'
  /**
   * of the client that signed in
   */
  address: string
  /**
   * its User-Agent
   */
  agent: string
  created_on: string
  last_used_on: string
  expires_on: string
  /**
   * whether this request belongs to it
   */
  current: boolean
}
export interface TotpSecret {
  /**
   * base32, for apps that read no QR code
   */
  secret: string
  /**
   * `otpauth://…`, as a QR code
   */
  uri: string
}
export interface RecoveryCodes {
  /**
   * single-use recovery codes, returned only once
   */
  recovery_codes: string[]
}
export interface Membership {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * pending until the user has a password, a key or a sign-in at the identity provider
   */
  status: 'accepted' | 'pending'
  account: Account
  api_access_enabled: boolean
  roles: string[]
  permissions: {
    analytics: {
      read: boolean
      write: boolean
    }
    billing: {
      read: boolean
      write: boolean
    }
    cache_purge: {
      read: boolean
      write: boolean
    }
    dns: {
      read: boolean
      write: boolean
    }
    dns_records: {
      read: boolean
      write: boolean
    }
    lb: {
      read: boolean
      write: boolean
    }
    logs: {
      read: boolean
      write: boolean
    }
    organization: {
      read: boolean
      write: boolean
    }
    ssl: {
      read: boolean
      write: boolean
    }
    waf: {
      read: boolean
      write: boolean
    }
    zone_settings: {
      read: boolean
      write: boolean
    }
    zones: {
      read: boolean
      write: boolean
    }
  }
}
export interface IpRanges {
  ipv4_cidrs: string[]
  ipv6_cidrs: string[]
  etag: string
}
export interface Subscription {
  /**
   * 32 lower-case hex digits
   */
  id: string
  state: 'Paid'
  price: number
  currency: string
  frequency: string
  rate_plan: {}
  current_period_start: string
  current_period_end: string | null
}
export interface Coverage {
  counts: {
    enforced: number
    partly: number
    not_enforced: number
    unknown: number
  }
  items: CoverageItem[]
}
export interface CoverageItem {
  /**
   * type of the Terraform resource
   */
  type: string
  id: string | null
  name: string
  /**
   * the resources of this type that the item stands for
   */
  count: number
  status: 'unknown' | 'not_enforced' | 'partly' | 'enforced'
  reason: string | null
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
   * first line in the file, from 1
   */
  line: number
  message: string
  /**
   * in upper case; empty for rules without severity
   */
  severity: string
  /**
   * 0 for none
   */
  paranoia_level: number
  tags: string[]
  /**
   * SecLang source, with its chain
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
  type: 'full' | 'partial' | 'secondary'
  origin: {
    url: string | null
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
export interface ParametersCompressResponse {
  /**
   * @minItems 1
   */
  algorithms: {
    name: 'none' | 'auto' | 'default' | 'gzip' | 'brotli' | 'zstd'
  }[]
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
  from_value?: {
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
  from_list?: {
    name: string
    /**
     * a value expression of the rules language
     */
    key: string
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
export interface ParametersServeError {
  content?: string
  content_type?: 'text/html' | 'text/plain' | 'application/json' | 'text/xml'
  /**
   * at most 200 letters, digits and underscores
   */
  asset_name?: string
  status_code?: number
}
export interface ParametersSetConfig {
  bic?: boolean
  hotlink_protection?: boolean
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
    | 'http_request_redirect'
    | 'http_request_late_transform'
    | 'http_custom_errors'
    | 'http_response_headers_transform'
    | 'http_response_compression'
    | 'http_response_firewall_managed'
    | 'http_log_custom_fields'
    | 'ddos_l4'
    | 'ddos_l7'
    | 'http_request_api_gateway_early'
    | 'http_request_api_gateway_late'
    | 'http_request_cache_settings'
    | 'http_request_cloud_connector'
    | 'http_request_sbfm'
    | 'http_request_snippets'
    | 'http_response_cache_settings'
    | 'magic_transit'
    | 'magic_transit_ids_managed'
    | 'magic_transit_managed'
    | 'magic_transit_ratelimit'
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
    | 'http_request_redirect'
    | 'http_request_late_transform'
    | 'http_custom_errors'
    | 'http_response_headers_transform'
    | 'http_response_compression'
    | 'http_response_firewall_managed'
    | 'http_log_custom_fields'
    | 'ddos_l4'
    | 'ddos_l7'
    | 'http_request_api_gateway_early'
    | 'http_request_api_gateway_late'
    | 'http_request_cache_settings'
    | 'http_request_cloud_connector'
    | 'http_request_sbfm'
    | 'http_request_snippets'
    | 'http_response_cache_settings'
    | 'magic_transit'
    | 'magic_transit_ids_managed'
    | 'magic_transit_managed'
    | 'magic_transit_ratelimit'
  rules: Rule[]
}
export interface RulesetInput {
  /**
   * `custom`, `root` (of an account) or `zone`
   */
  kind: string
  name: string
  /**
   * one of http_request_sanitize, http_request_dynamic_redirect, http_request_transform, http_config_settings, http_request_origin, http_request_firewall_custom, http_ratelimit, http_request_firewall_managed, http_request_redirect, http_request_late_transform, http_custom_errors, http_response_headers_transform, http_response_compression, http_response_firewall_managed, http_log_custom_fields
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
          }
        | {
            action: 'compress_response'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersCompressResponse
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
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
            action: 'serve_error'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersServeError
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
          }
        | {
            action: 'compress_response'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersCompressResponse
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
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
            action: 'serve_error'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersServeError
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
          }
        | {
            action: 'compress_response'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersCompressResponse
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
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
            exposed_credential_check?: {
              /**
               * a value expression of the rules language
               */
              username_expression: string
              /**
               * a value expression of the rules language
               */
              password_expression: string
            }
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
            action: 'serve_error'
            expression: string
            description?: string
            enabled?: boolean
            ref?: string
            version?: unknown
            last_updated?: unknown
            categories?: unknown
            score_threshold?: unknown
            id?: string
            action_parameters: ParametersServeError
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
  /**
   * absent when it is empty
   */
  description?: string
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
   * human-readable
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
   * the newest year in the copyright lines of its files
   */
  released_year: number | null
  /**
   * whether `latest` refers to this release
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
     * 0 for rules without a level
     */
    paranoia_level: number
    tags: string[]
  }[]
  changed: {
    id: number
    file: string
    message: string
    /**
     * changed properties: message, severity, paranoia_level, tags, text
     */
    members: string[]
    /**
     * `from` and `to` of each changed property
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
     * 0 for rules without a level
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
   * on every zone of the account, future zones included
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
export interface DnsRecord {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * complete, in Punycode
   */
  name: string
  type:
    | 'A'
    | 'AAAA'
    | 'CAA'
    | 'CERT'
    | 'CNAME'
    | 'DNSKEY'
    | 'DS'
    | 'HTTPS'
    | 'LOC'
    | 'MX'
    | 'NAPTR'
    | 'NS'
    | 'OPENPGPKEY'
    | 'PTR'
    | 'SMIMEA'
    | 'SRV'
    | 'SSHFP'
    | 'SVCB'
    | 'TLSA'
    | 'TXT'
    | 'URI'
  content: string
  proxiable: boolean
  /**
   * the record decides the origin of its name
   */
  proxied: boolean
  /**
   * seconds; 1 is automatic
   */
  ttl: number
  settings: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: boolean
  }
  meta: {}
  comment: string | null
  tags: string[]
  created_on: string
  modified_on: string
  comment_modified_on?: string
  tags_modified_on?: string
  priority?: number
  data?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  private_routing?: boolean
}
export interface DnsBatch {
  deletes: DnsRecord[]
  patches: DnsRecord[]
  puts: DnsRecord[]
  posts: DnsRecord[]
}
export interface DnsImport {
  recs_added: number
  total_records_parsed: number
}
export interface Monitor {
  /**
   * 32 lower-case hex digits
   */
  id: string
  type: 'http' | 'https' | 'tcp'
  description: string
  method: string
  path: string
  port?: number
  /**
   * seconds
   */
  interval: number
  /**
   * seconds
   */
  timeout: number
  retries: number
  consecutive_up?: number
  consecutive_down?: number
  /**
   * `2xx`, `200`, `200-299`, or several with commas
   */
  expected_codes: string
  /**
   * part of the body, in any letter case
   */
  expected_body: string
  header?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  } | null
  follow_redirects: boolean
  allow_insecure: boolean
  probe_zone: string
  created_on: string
  modified_on: string
}
export interface Pool {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  enabled: boolean
  disabled_at?: string
  minimum_origins: number
  /**
   * 32 lower-case hex digits
   */
  monitor?: string
  origins: {
    name: string
    address: string
    enabled: boolean
    disabled_at?: string
    weight: number
    /**
     * 0: the port of the scheme
     */
    port: number
    flatten_cname: boolean
    header?: {
      Host: string[]
    }
  }[]
  origin_steering: {
    policy: 'random' | 'hash' | 'least_outstanding_requests' | 'least_connections'
  }
  load_shedding: {
    default_percent: number
    default_policy: string
    session_percent: number
    session_policy: string
  }
  notification_email: string
  notification_filter?: unknown
  check_regions: string[] | null
  health_sources?: string[]
  latitude?: number
  longitude?: number
  created_on: string
  modified_on: string
}
export interface PoolHealth {
  /**
   * 32 lower-case hex digits
   */
  pool_id: string
  pop_health: {
    /**
     * enough of its origins are healthy
     */
    healthy: boolean
    /**
     * by address; origins that were not checked yet are left out
     */
    origins: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: {
        healthy: boolean
        failure_reason: string
        /**
         * HTTP status; 0 without one
         */
        response_code: number
        /**
         * of the last check, such as `12.1ms`
         */
        rtt: string
      }
    }[]
  }
}
export interface LoadBalancer {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description: string
  enabled: boolean
  /**
   * it decides about the requests for its name
   */
  proxied: boolean
  /**
   * in the order of failover
   *
   * Items: 32 lower-case hex digits
   */
  default_pools: string[]
  /**
   * 32 lower-case hex digits
   */
  fallback_pool: string
  steering_policy: '' | 'off' | 'random'
  random_steering: {
    default_weight: number
    pool_weights?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: number
    }
  }
  adaptive_routing: {
    failover_across_pools: boolean
  }
  session_affinity: '' | 'none' | 'cookie' | 'ip_cookie' | 'header'
  /**
   * seconds
   */
  session_affinity_ttl?: number
  session_affinity_attributes?: {
    samesite?: string
    secure?: string
    /**
     * seconds
     */
    drain_duration?: number
    zero_downtime_failover?: string
    headers?: string[]
    require_all_headers?: boolean
  }
  location_strategy?: unknown
  ttl?: number
  rules?: {
    name?: string
    condition?: string
    disabled?: boolean
    priority?: number
    terminates?: boolean
    fixed_response?: {
      status_code?: number
      content_type?: string
      location?: string
      message_body?: string
    }
    overrides?: {
      /**
       * in the order of failover
       *
       * Items: 32 lower-case hex digits
       */
      default_pools?: string[]
      /**
       * 32 lower-case hex digits
       */
      fallback_pool?: string
      steering_policy?: '' | 'off' | 'random'
      random_steering?: {
        default_weight: number
        pool_weights?: {
          /**
           * This interface was referenced by `undefined`'s JSON-Schema definition
           * via the `patternProperty` "^.*$".
           */
          [k: string]: number
        }
      }
      adaptive_routing?: {
        failover_across_pools: boolean
      }
      session_affinity?: '' | 'none' | 'cookie' | 'ip_cookie' | 'header'
      /**
       * seconds
       */
      session_affinity_ttl?: number
      session_affinity_attributes?: {
        samesite?: string
        secure?: string
        /**
         * seconds
         */
        drain_duration?: number
        zero_downtime_failover?: string
        headers?: string[]
        require_all_headers?: boolean
      }
      location_strategy?: unknown
      ttl?: number
    }
  }[]
  networks?: string[]
  zone_name: string
  created_on: string
  modified_on: string
}
export interface LoadBalancingReference {
  reference_type: 'referral' | 'referrer'
  /**
   * 32 lower-case hex digits
   */
  resource_id: string
  resource_name: string
  resource_type: 'monitor' | 'pool' | 'load_balancer'
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
export interface ZoneSetting {
  id: string
  /**
   * docs/reference/zones.md lists the values
   */
  value?: {
    [k: string]: unknown
  }
  /**
   * in place of `value`, where `enabled` was written
   */
  enabled?: boolean
  editable: boolean
  modified_on: string | null
  /**
   * development_mode: seconds until it ends, negative after its end
   */
  time_remaining?: number
}
export interface CustomCertificate {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * 32 lower-case hex digits
   */
  zone_id: string
  hosts: string[]
  issuer: string
  /**
   * `SHA256WithRSA`, `ECDSAWithSHA256`, …
   */
  signature: string
  status: 'active' | 'expired'
  bundle_method: 'ubiquitous' | 'optimal' | 'force'
  priority: number
  uploaded_on: string
  modified_on: string
  expires_on: string
}
export interface OriginClientCertificate {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * PEM
   */
  certificate: string
  issuer: string
  /**
   * `SHA256WithRSA`, `ECDSAWithSHA256`, …
   */
  signature: string
  status: 'active' | 'expired'
  uploaded_on: string
  expires_on: string
  /**
   * The zone shows origins its client certificate
   */
  enabled: boolean
}
export interface TrustStoreCertificate {
  /**
   * 32 lower-case hex digits
   */
  id: string
  /**
   * PEM
   */
  certificate: string
  issuer: string
  /**
   * `SHA256WithRSA`, `ECDSAWithSHA256`, …
   */
  signature: string
  status: 'active' | 'expired'
  uploaded_on: string
  expires_on: string
  updated_at: string
}
export interface CustomAsset {
  name: string
  description: string
  url: string
  last_updated: string
  size_bytes: number
}
export interface CustomPage {
  id:
    | 'basic_challenge'
    | 'country_challenge'
    | 'ip_block'
    | 'managed_challenge'
    | 'ratelimit_block'
    | 'under_attack'
    | 'waf_block'
    | 'waf_challenge'
    | '500_errors'
    | '1000_errors'
  description: string
  required_tokens: string[]
  state: 'default' | 'customized'
  url: string | null
  created_on: string | null
  modified_on: string | null
}
export interface AccessRule {
  /**
   * 32 lower-case hex digits
   */
  id: string
  notes: string
  allowed_modes: ('block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge')[]
  mode: 'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
    value: string
  }
  created_on: string
  modified_on: string
  scope: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    name: string
    /**
     * `organization`: all zones of the account
     */
    type: 'organization' | 'zone'
  }
}
export interface UserAgentRule {
  /**
   * 32 lower-case hex digits
   */
  id: string
  description?: string
  mode: 'block' | 'challenge' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ua'
    value: string
  }
  paused: boolean
}
export interface Lockdown {
  /**
   * 32 lower-case hex digits
   */
  id: string
  description?: string
  urls: string[]
  configurations: {
    target: 'ip' | 'ip_range'
    value: string
  }[]
  paused: boolean
  priority?: number
  created_on: string
  modified_on: string
}
export interface CertificateInUse {
  hosts: string[]
  issuer: string
  source: 'custom' | 'acme' | 'file'
  status: 'active' | 'expiring' | 'expired'
  expires_on: string
}
export interface LeakedCredentialChecks {
  enabled: boolean
}
export interface CredentialDetection {
  /**
   * 32 lower-case hex digits
   */
  id: string
  username?: string
  password?: string
}
export interface UrlNormalization {
  type: 'cloudflare' | 'rfc3986'
  scope: 'incoming' | 'both' | 'none'
}
export interface ManagedHeaders {
  managed_request_headers: {
    id:
      | 'add_true_client_ip_headers'
      | 'add_visitor_location_headers'
      | 'remove_visitor_ip_headers'
      | 'add_bot_protection_headers'
      | 'add_client_certificate_headers'
      | 'add_waf_credential_check_status_header'
    enabled: boolean
    /**
     * an enabled transform excludes this one
     */
    has_conflict: boolean
    conflicts_with?: string[]
  }[]
  managed_response_headers: {
    id: 'remove_x-powered-by_header' | 'add_security_headers' | 'remove_x_powered_by_headers'
    enabled: boolean
    /**
     * an enabled transform excludes this one
     */
    has_conflict: boolean
    conflicts_with?: string[]
  }[]
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
   * masked for credentials without write permission
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
   * inclusive
   */
  start: string
  /**
   * exclusive
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
  /**
   * the lag exceeds the interval between uploads
   */
  behind: boolean
  lag_seconds: number
  oldest_undelivered: string | null
  last_complete: string | null
  last_error: string | null
  error_message: string | null
  /**
   * records that the job lost; record logs without a process that delivers them; and a full record log that waits for this job, so that the edge refuses requests
   */
  faults: {
    code: 'records_lost' | 'log_unread' | 'log_full'
    records: number | null
    message: string
  }[]
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
    reset: {
      uploads: number
      lines: number
      bytes: number
      bytes_compressed: number
    }
  }
  hours: {
    hour: string
    outcome: 'successful' | 'retry' | 'failed' | 'missing' | 'reset'
    /**
     * HTTP status, or a word for the error
     */
    status: string
    uploads: number
    lines: number
    bytes: number
    bytes_compressed: number
  }[]
  /**
   * the largest lag in each hour in which the job ran
   */
  lags: {
    hour: string
    lag_seconds_max: number
  }[]
}
export interface LogpushOverview {
  /**
   * of the zone, or of the account and its zones
   */
  jobs: number
  enabled: number
  /**
   * enabled jobs that the other counts cover; jobs with a failure come first
   */
  looked_at: number
  /**
   * stopped by a failure: edit the job to resume
   */
  stopped: number
  retrying: number
  behind: number
  lag_seconds_max: number
  /**
   * delivered in the last 24 hours
   */
  lines: number
  /**
   * stopped jobs, then retrying jobs, then jobs that are behind
   */
  worst: {
    job_id: number
    name: string | null
    zone: {
      id: string
      name: string
    } | null
    state: 'disabled' | 'running' | 'retrying' | 'paused'
    behind: boolean
    lag_seconds: number
    error_message: string | null
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
   * URL of the WebSocket
   */
  destination_conf: string
  kind: 'instant-logs'
  fields: string
  filter: string
  sample: number
}
export interface LogSample {
  /**
   * newest first, without empty fields; times are nanoseconds as text
   */
  records: {
    [k: string]: unknown
  }[]
  newest: string | null
  oldest: string | null
  /**
   * records searched, of all zones and datasets
   */
  looked_at: number
  /**
   * the search ended at a limit, before it found the requested number of records
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
   * Unique within the zone
   */
  id: string
  datetime: string
  ray_id: string
  /**
   * In lower case: block, managedchallenge, log, skip, …
   */
  action: string
  /**
   * firewallcustom, firewallmanaged, ratelimit, securitylevel, bic, hot, ip, iprange, asn, country, uablock or zonelockdown
   */
  source: string
  /**
   * The rule that acted; for a managed ruleset, its last rule
   */
  rule_id: string
  ref: string
  description: string
  /**
   * Index among the events of the request, from 0 for the last
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
   * 0 if the origin was not contacted
   */
  origin_status: number
  metadata: {
    type?: 'customer' | 'managed'
    ruleset_id?: string
    ruleset_version?: string
    version?: string
    /**
     * Score of the request
     */
    score?: number
    /**
     * Threshold of the last rule
     */
    threshold?: number
    rules?: {
      /**
       * ID of the rule in the managed ruleset
       */
      id: string
      /**
       * CRS rule number
       */
      ref: string
      score: number
      /**
       * Score after this rule
       */
      total: number
      /**
       * Matched target, such as ARGS:q; never the value
       */
      target: string
    }[]
    /**
     * Further matched rules that are not listed
     */
    rules_omitted?: number
    /**
     * The encrypted payload; see docs/reference/zones.md
     */
    encrypted_matched_data?: string
    /**
     * Findings of the zone’s shadow
     */
    shadow?: {}
    [k: string]: unknown
  }
}
export interface SecurityRay {
  ray_id: string
  datetime: string
  /**
   * Phases with security rules, in evaluation order
   */
  phases: {
    phase: string
    /**
     * ended: a rule answered the request; acted: rules took actions and the request continued; matched: managed rules matched without an action; passed: nothing matched; not_reached: an earlier phase ended the request; unknown: the request record is no longer stored
     */
    outcome: 'ended' | 'acted' | 'matched' | 'passed' | 'not_reached' | 'unknown'
    rules: {
      action: string | null
      /**
       * Empty for managed rulesets that took no action, because records omit it
       */
      rule_id: string
      ref: string
      description: string
      ruleset_id: string
      score: number | null
      threshold: number | null
      matched: {
        /**
         * ID of the rule in the managed ruleset
         */
        id: string
        /**
         * CRS rule number
         */
        ref: string
        score: number
        /**
         * Score after this rule
         */
        total: number
        /**
         * Matched target, such as ARGS:q; never the value
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
   * not_kept: the whole record log was searched; unfinished: the search ended early, because the record log is too long or too many searches run
   */
  request_search: 'found' | 'not_kept' | 'unfinished'
}
export interface SecuritySeries {
  /**
   * Value of the group_by dimension; for none: requests, mitigated or events, and with a filter only events
   */
  value: string
  /**
   * For matched_rule_id the CRS rule number; otherwise empty
   */
  ref: string
  total: number
  /**
   * One count per step
   */
  counts: number[]
}
export interface SecurityTimeseries {
  /**
   * Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part
   */
  since: string
  /**
   * Exclusive
   */
  until: string
  /**
   * Step of the response in seconds: an hour if the dimension has too many events for smaller steps
   */
  step: number
  group_by: 'none' | 'action' | 'rule_id' | 'matched_rule_id' | 'path' | 'client_ip' | 'country'
  /**
   * The largest series, in descending order
   */
  series: SecuritySeries[]
  other: SecuritySeries | null
}
export interface SecurityTop {
  /**
   * Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part
   */
  since: string
  /**
   * Exclusive
   */
  until: string
  by: 'rule_id' | 'matched_rule_id' | 'path' | 'client_ip' | 'country' | 'user_agent' | 'host'
  values: {
    value: string
    /**
     * For matched_rule_id the CRS rule number; otherwise empty
     */
    ref: string
    events: number
    /**
     * Events among them whose action mitigated the request
     */
    mitigated: number
  }[]
  /**
   * Events of all other values; an event counts once per matched rule
   */
  other_events: number
  total_events: number
}
export interface SecurityRuleHits {
  day: {
    /**
     * Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part
     */
    since: string
    /**
     * Exclusive
     */
    until: string
  }
  week: {
    /**
     * Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part
     */
    since: string
    /**
     * Exclusive
     */
    until: string
  }
  /**
   * Rules with hits in the week, in descending order of hits
   */
  rules: {
    rule_id: string
    ref: string
    day: {
      /**
       * Requests that the rule matched, with or without an action
       */
      hits: number
      /**
       * Hits that were mitigated, by this rule or another
       */
      mitigated: number
      /**
       * Hits that reached the origin and got a status below 400
       */
      passed_well: number
      false_positive_share: number | null
    }
    week: {
      /**
       * Requests that the rule matched, with or without an action
       */
      hits: number
      /**
       * Hits that were mitigated, by this rule or another
       */
      mitigated: number
      /**
       * Hits that reached the origin and got a status below 400
       */
      passed_well: number
      false_positive_share: number | null
    }
  }[]
}
export interface SecurityOverview {
  /**
   * Inclusive, aligned to steps. If the range has too many events for a filter, the start of its newest part
   */
  since: string
  /**
   * Exclusive
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
   * Zones with requests in the last day, in descending order of requests
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
   * Number of zones with requests, listed or not
   */
  zones_total: number
}
export interface WhatIf {
  /**
   * Inclusive, aligned to minutes, and not before the oldest stored sample
   */
  since: string
  /**
   * Exclusive
   */
  until: string
  /**
   * Current setting
   */
  sample_rate: number
  /**
   * Sampled requests
   */
  samples: number
  /**
   * All requests of the zone
   */
  requests: number
  /**
   * samples / requests
   */
  sample_share: number
  /**
   * Samples of mitigated requests: block, challenges, closed connections
   */
  held_up: number
  /**
   * Selected requests that were skipped for lack of CPU time or memory
   */
  left_out: number
  /**
   * Samples whose rules were not all evaluated
   */
  incomplete: number
  cost: {
    /**
     * Samples that needed a second evaluation; none if the zone runs every level
     */
    evaluated: number
    cpu_ms: number
    /**
     * CPU milliseconds of each additional evaluation
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
       * Samples whose score reaches the threshold, or that a rule stops by itself
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
   * Inclusive, aligned to minutes, and not before the oldest stored sample
   */
  since: string
  /**
   * Exclusive
   */
  until: string
  paranoia_level: number
  samples: number
  threshold: number
  /**
   * Samples whose score reaches the threshold, or that a rule stops by itself
   */
  acted_on: number
  /**
   * acted_on / samples
   */
  share: number
  /**
   * Part of acted_on: requests that the zone did not mitigate
   */
  acted_on_anew: number
  /**
   * Samples of mitigated requests that would pass
   */
  let_through: number
  /**
   * In descending order
   */
  paths: {
    value: string
    samples: number
  }[]
  /**
   * In descending order
   */
  clients: {
    value: string
    samples: number
  }[]
  /**
   * Rules that score at the level, in descending order of samples
   */
  rules: {
    /**
     * ID of the rule in the managed ruleset
     */
    id: string
    /**
     * CRS rule number
     */
    ref: string
    description: string
    samples: number
  }[]
  /**
   * The newest samples
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
     * Action taken, in lower case; empty if none
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
     * A rule stops the request by itself, at any score
     */
    stopped_by_rule: boolean
    rules: {
      /**
       * ID of the rule in the managed ruleset
       */
      id: string
      /**
       * CRS rule number
       */
      ref: string
      score: number
      description: string
      /**
       * Lowest level at which the rule is enabled in this zone
       */
      paranoia_level: number
      /**
       * Whether the rule is enabled at the level
       */
      counts: boolean
    }[]
  }[]
}
export interface WhatIfSampling {
  /**
   * Share of the requests, 0 to 1; 0 turns sampling off
   */
  sample_rate: number
}
export interface ExceptionPreview {
  /**
   * Start of the replayed range
   */
  since: string
  until: string
  /**
   * False if there were too many events: only the newest, back to since, were replayed
   */
  complete: boolean
  /**
   * Recorded events of the range
   */
  events: number
  /**
   * Events that the expression matches
   */
  matched: number
  /**
   * Matched events that were mitigated and would pass
   */
  let_through: number
  /**
   * Would pass if each rule has no match besides its first; events name only the first match
   */
  possibly_let_through: number
  /**
   * Events that would pass if the expression matched; it uses fields that events do not record
   */
  undecided: number
  /**
   * Matched events whose remaining score still reaches the threshold
   */
  still_held_up: number
  /**
   * Matched events that were only logged, or whose challenge was passed
   */
  not_held_up: number
  /**
   * Matched events of rules outside the exception
   */
  unaffected: number
  /**
   * Missing fields of the undecided events
   */
  unknown_fields: {
    name: string
    events: number
  }[]
  /**
   * The newest examples of each outcome
   */
  examples: {
    /**
     * Named after the counts of the response
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
     * Action taken, in lower case; empty if none
     */
    action: string
    /**
     * The rule that acted; for a managed ruleset, its last rule
     */
    rule_id: string
    score: number
    /**
     * Score without the skipped rules
     */
    remaining_score: number
    threshold: number
    rules: {
      /**
       * ID of the rule in the managed ruleset
       */
      id: string
      /**
       * CRS rule number
       */
      ref: string
      score: number
      /**
       * First matched target, such as ARGS:q; never the value
       */
      target: string
      skipped: boolean
    }[]
    unknown_fields: string[]
  }[]
}
export interface NotificationPolicy {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  description?: string | null
  enabled: boolean
  alert_type: string
  alert_interval?: string | null
  filters?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[] | null
  } | null
  /**
   * of e-mails, the id is the address
   */
  mechanisms: {
    email?:
      | {
          id: string
        }[]
      | null
    pagerduty?:
      | {
          id: string
        }[]
      | null
    webhooks?:
      | {
          id: string
        }[]
      | null
  }
  created: string
  modified: string
}
export interface NotificationWebhook {
  /**
   * 32 lower-case hex digits
   */
  id: string
  name: string
  url: string
  type: 'generic' | 'slack' | 'gchat' | 'discord'
  created_at: string
  last_success: string | null
  last_failure: string | null
}
export interface SentNotification {
  /**
   * 32 lower-case hex digits
   */
  id: string
  policy_id: string
  name: string
  description: string
  alert_type: string
  alert_body: string
  /**
   * the address, or the id of the webhook
   */
  mechanism: string
  mechanism_type: 'email' | 'webhook'
  sent: string | null
}
export interface Rollout {
  state: 'off' | 'idle' | 'staged' | 'halted'
  share: number
  changes: number
  first_edges: string[]
  began_on?: string
  ends_on?: string
  reason?: string
  edges: {
    id: string
    first: boolean
    has_changes: boolean
    requests: number
    mitigated: number
    failed: number
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
     * Not used: the edge computes it from the headers
     */
    bot_score?: number
    /**
     * Address of the client; by default 192.0.2.1. Sluice’s own
     */
    client_ip?: string
    geoloc?: {
      city?: string
      /**
       * Not used: derived from the country
       */
      continent?: string
      /**
       * Not used: derived from the country
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
     * Not used: no rule can read it
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
   * Sent in this order; an array makes several lines of one name, which is Sluice’s own
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
   * Has no effect: the origin is never contacted
   */
  skip_response?: boolean
}
export interface TraceItem {
  type: 'phase' | 'ruleset' | 'rule'
  /**
   * Name of the phase, id of the ruleset or rule; of a check beside the phases the source that records name, such as zoneLockdown
   */
  step_name: string
  /**
   * Whether this step or a step below it matched
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
   * Of a phase: false if the request ended before it. Sluice’s own, like all following members
   */
  reached?: boolean
  /**
   * Of a ruleset
   */
  version?: string
  level?: 'account' | 'zone'
  /**
   * Of a rule; for the OWASP ruleset the CRS rule number, such as 942100
   */
  ref?: string
  /**
   * failed: the expression is too expensive for this request
   */
  evaluation?: 'matched' | 'not_matched' | 'skipped' | 'not_reached' | 'failed'
  /**
   * The skip rule or IP access rule that excluded this rule or the ruleset that it executes
   */
  skipped_by?: string
  /**
   * Action taken, as written in records
   */
  did?: string
  /**
   * Of a managed ruleset: score of the request
   */
  score?: number
  /**
   * Of a managed ruleset: threshold of its last rule
   */
  score_threshold?: number
  /**
   * Of a managed ruleset: false if its last rule is disabled or skipped
   */
  acts?: boolean
  /**
   * Of a managed ruleset: whether its last rule took its action
   */
  acted?: boolean
  /**
   * Of a managed ruleset: whether rules were left unevaluated
   */
  incomplete?: boolean
  /**
   * Of a managed ruleset: number of enabled rules
   */
  rules_on?: number
  /**
   * Of a managed ruleset: further matched rules that are not listed
   */
  matches_omitted?: number
  /**
   * Of a rule of a managed ruleset; Sluice’s own
   */
  match?: {
    /**
     * Matched target, such as ARGS:q
     */
    target: string
    /**
     * Matched value after transformations; non-printable bytes as \xHH
     */
    value: string
    /**
     * Log data of the rule
     */
    data: string
    /**
     * Score that the rule added
     */
    score: number
    /**
     * Score after this rule
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
     * Conditions of the rule with the values that they tested; empty for bodies longer than 64 KB
     */
    conditions: {
      /**
       * Such as @rx or !@within; empty if the rule has none
       */
      operator: string
      parameter: string
      values: {
        target: string
        /**
         * Before transformations
         */
        original: string
        /**
         * Transformations that changed the value
         */
        steps: {
          transformation: string
          value: string
        }[]
        /**
         * The matched part; empty for operators that report none
         */
        found: string
      }[]
    }[]
  }
}
export interface RequestTrace {
  /**
   * Of the edge’s own response; absent if the request goes to the origin
   */
  status_code?: number
  trace: TraceItem[]
  /**
   * Sluice’s own, like all following members
   */
  zone: {
    id: string
    name: string
  }
  /**
   * Of this trace; no record has this Ray ID
   */
  ray_id: string
  outcome: {
    /**
     * forward: to the origin; answer: by the edge; drop: connection closed without a response
     */
    kind: 'forward' | 'answer' | 'drop'
    /**
     * Action that ended the request, as written in records
     */
    action?: string
    /**
     * The rule that ended it
     */
    rule_id?: string
    /**
     * Reason of a refusal by the edge itself
     */
    reason?: string
    /**
     * Target of the redirect
     */
    location?: string
    /**
     * Path and query that the origin receives
     */
    uri?: string
    /**
     * Host header that the origin receives
     */
    host?: string
    /**
     * Server that receives it; one of several that take turns
     */
    origin?: string
  }
  /**
   * Records that would be logged, after redaction
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
     * Fields that only a real request sets
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
  /**
   * absent where Sluice has no such feature
   */
  category?: string
  /**
   * present where the group grants nothing
   */
  description?: string
  /**
   * whether the credentials of the request can grant it to a token
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
export interface SignInBody {
  email: string
  password: string
  code?: string
}
export interface AcceptInvitationBody {
  secret: string
  password: string
}
export interface CreateAccountBody {
  name: string
  type?: 'standard' | 'enterprise'
  unit?: {
    id?: string
  }
}
export interface UpdateAccountBody {
  name: string
}
export interface SetOwnPasswordBody {
  current_password?: string
  password: string
}
export interface BeginTwoFactorBody {
  password: string
}
export interface ConfirmTwoFactorBody {
  code: string
}
export interface EndTwoFactorBody {
  password: string
}
export interface CreateZoneBody {
  name: string
  account?: {
    id: string
  }
  /**
   * older name of `account`, in clients of version 0
   */
  organization?: {
    id: string
  }
  type?: 'full' | 'partial' | 'secondary'
  paused?: boolean
  /**
   * without effect: no DNS records are looked up
   */
  jump_start?: boolean
  /**
   * @maxItems 10
   */
  vanity_name_servers?: string[]
  origin?: {
    url: string | null
  }
}
export interface EditZoneBody {
  paused?: boolean
  type?: 'full' | 'partial' | 'secondary'
  /**
   * @maxItems 10
   */
  vanity_name_servers?: string[]
  origin?: {
    url: string | null
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
      /**
       * @maxItems 10
       */
      scopes?: string[]
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
      /**
       * @maxItems 10
       */
      scopes?: string[]
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
export interface CreateMonitorBody {
  type?: ('http' | 'https' | 'tcp' | 'icmp_ping' | 'udp_icmp' | 'smtp') | null
  description?: string | null
  method?: string | null
  path?: string | null
  port?: number | null
  interval?: number | null
  timeout?: number | null
  retries?: number | null
  consecutive_up?: number | null
  consecutive_down?: number | null
  expected_codes?: string | null
  expected_body?: string | null
  header?: {
    /**
     * @maxItems 20
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  } | null
  follow_redirects?: boolean | null
  allow_insecure?: boolean | null
  probe_zone?: string | null
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface ReplaceMonitorBody {
  type?: ('http' | 'https' | 'tcp' | 'icmp_ping' | 'udp_icmp' | 'smtp') | null
  description?: string | null
  method?: string | null
  path?: string | null
  port?: number | null
  interval?: number | null
  timeout?: number | null
  retries?: number | null
  consecutive_up?: number | null
  consecutive_down?: number | null
  expected_codes?: string | null
  expected_body?: string | null
  header?: {
    /**
     * @maxItems 20
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  } | null
  follow_redirects?: boolean | null
  allow_insecure?: boolean | null
  probe_zone?: string | null
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface EditMonitorBody {
  type?: ('http' | 'https' | 'tcp' | 'icmp_ping' | 'udp_icmp' | 'smtp') | null
  description?: string | null
  method?: string | null
  path?: string | null
  port?: number | null
  interval?: number | null
  timeout?: number | null
  retries?: number | null
  consecutive_up?: number | null
  consecutive_down?: number | null
  expected_codes?: string | null
  expected_body?: string | null
  header?: {
    /**
     * @maxItems 20
     *
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[]
  } | null
  follow_redirects?: boolean | null
  allow_insecure?: boolean | null
  probe_zone?: string | null
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface CreatePoolBody {
  /**
   * letters, digits, `-` and `_`
   */
  name: string
  description?: string | null
  enabled?: boolean | null
  minimum_origins?: number | null
  monitor?: string | null
  monitor_group?: string | null
  /**
   * @minItems 1
   * @maxItems 64
   */
  origins: {
    name?: string | null
    address: string
    enabled?: boolean | null
    weight?: number | null
    port?: number | null
    header?: {
      Host?: string[] | null
    } | null
    flatten_cname?: boolean | null
    virtual_network_id?: string | null
    disabled_at?: unknown
  }[]
  origin_steering?: {
    policy?: ('random' | 'hash' | 'least_outstanding_requests' | 'least_connections') | null
  } | null
  check_regions?: string[] | null
  health_sources?: ('local' | 'regional' | 'global')[] | null
  latitude?: number | null
  longitude?: number | null
  load_shedding?: {
    default_percent?: number | null
    default_policy?: ('random' | 'hash') | null
    session_percent?: number | null
    session_policy?: 'hash' | null
  } | null
  notification_email?: string | null
  notification_filter?: {
    pool?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
    origin?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
  } | null
  networks?: unknown
  disabled_at?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface ReplacePoolBody {
  /**
   * letters, digits, `-` and `_`
   */
  name: string
  description?: string | null
  enabled?: boolean | null
  minimum_origins?: number | null
  monitor?: string | null
  monitor_group?: string | null
  /**
   * @minItems 1
   * @maxItems 64
   */
  origins: {
    name?: string | null
    address: string
    enabled?: boolean | null
    weight?: number | null
    port?: number | null
    header?: {
      Host?: string[] | null
    } | null
    flatten_cname?: boolean | null
    virtual_network_id?: string | null
    disabled_at?: unknown
  }[]
  origin_steering?: {
    policy?: ('random' | 'hash' | 'least_outstanding_requests' | 'least_connections') | null
  } | null
  check_regions?: string[] | null
  health_sources?: ('local' | 'regional' | 'global')[] | null
  latitude?: number | null
  longitude?: number | null
  load_shedding?: {
    default_percent?: number | null
    default_policy?: ('random' | 'hash') | null
    session_percent?: number | null
    session_policy?: 'hash' | null
  } | null
  notification_email?: string | null
  notification_filter?: {
    pool?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
    origin?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
  } | null
  networks?: unknown
  disabled_at?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface EditPoolBody {
  /**
   * letters, digits, `-` and `_`
   */
  name?: string
  description?: string | null
  enabled?: boolean | null
  minimum_origins?: number | null
  monitor?: string | null
  monitor_group?: string | null
  /**
   * @minItems 1
   * @maxItems 64
   */
  origins?: {
    name?: string | null
    address: string
    enabled?: boolean | null
    weight?: number | null
    port?: number | null
    header?: {
      Host?: string[] | null
    } | null
    flatten_cname?: boolean | null
    virtual_network_id?: string | null
    disabled_at?: unknown
  }[]
  origin_steering?: {
    policy?: ('random' | 'hash' | 'least_outstanding_requests' | 'least_connections') | null
  } | null
  check_regions?: string[] | null
  health_sources?: ('local' | 'regional' | 'global')[] | null
  latitude?: number | null
  longitude?: number | null
  load_shedding?: {
    default_percent?: number | null
    default_policy?: ('random' | 'hash') | null
    session_percent?: number | null
    session_policy?: 'hash' | null
  } | null
  notification_email?: string | null
  notification_filter?: {
    pool?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
    origin?: {
      disable?: boolean | null
      healthy?: boolean | null
    } | null
  } | null
  networks?: unknown
  disabled_at?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface UseCrsReleaseBody {
  active: true
}
export interface CheckOriginBody {
  origin: {
    url: string
  }
  /**
   * name of the zone, sent as the Host header
   */
  host?: string
}
export interface ActOnRolloutBody {
  action: 'proceed' | 'go_back' | 'retry'
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
      /**
       * @maxItems 10
       */
      scopes?: string[]
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
      /**
       * @maxItems 10
       */
      scopes?: string[]
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
export interface CreateMemberBody {
  email: string
  /**
   * @minItems 1
   * @maxItems 10
   */
  roles: (
    | string
    | {
        id: string
      }
  )[]
  status?: 'accepted' | 'pending'
}
export interface UpdateMemberBody {
  /**
   * @minItems 1
   * @maxItems 10
   */
  roles: (
    | string
    | {
        id: string
      }
  )[]
}
export interface CreateNotificationPolicyBody {
  name: string
  description?: string | null
  enabled: boolean
  alert_type: string
  alert_interval?: string | null
  filters?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[] | null
  } | null
  /**
   * of e-mails, the id is the address
   */
  mechanisms: {
    email?:
      | {
          id: string
        }[]
      | null
    pagerduty?:
      | {
          id: string
        }[]
      | null
    webhooks?:
      | {
          id: string
        }[]
      | null
  }
}
export interface UpdateNotificationPolicyBody {
  name?: string
  description?: string | null
  enabled?: boolean
  alert_type?: string
  alert_interval?: string | null
  filters?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: string[] | null
  } | null
  /**
   * of e-mails, the id is the address
   */
  mechanisms?: {
    email?:
      | {
          id: string
        }[]
      | null
    pagerduty?:
      | {
          id: string
        }[]
      | null
    webhooks?:
      | {
          id: string
        }[]
      | null
  }
}
export interface CreateNotificationWebhookBody {
  name: string
  url: string
  secret?: string | null
}
export interface ReplaceNotificationWebhookBody {
  name: string
  url: string
  secret?: string | null
}
export interface CreateCustomAssetAccountBody {
  /**
   * at most 200 letters, digits and underscores
   */
  name: string
  description?: string
  url: string
}
export interface UpdateCustomAssetAccountBody {
  description?: string
  url: string
}
export interface UpdateCustomPageAccountBody {
  state: 'default' | 'customized'
  url?: string | null
}
export interface CreateAccessRuleAccountBody {
  mode: 'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
    value: string
  }
  notes?: string | null
}
export interface EditAccessRuleAccountBody {
  mode?: 'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'
  configuration?: {
    target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
    value: string
  }
  notes?: string | null
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
export interface QueryLogsBody {
  /**
   * One SELECT of DuckDB over http_requests, firewall_events and what_if_samples
   */
  sql: string
  /**
   * Inclusive; by default a day before `until`. Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z
   */
  since?: string
  /**
   * Exclusive; by default now
   */
  until?: string
  /**
   * Rows of the answer; by default 1000
   */
  limit?: number
}
export interface ExportQueriedLogsBody {
  /**
   * One SELECT of DuckDB over http_requests, firewall_events and what_if_samples
   */
  sql: string
  /**
   * Inclusive; by default a day before `until`. Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z
   */
  since?: string
  /**
   * Exclusive; by default now
   */
  until?: string
  /**
   * Rows of the file; by default 1000000
   */
  limit?: number
}
export interface CreateCustomAssetZoneBody {
  /**
   * at most 200 letters, digits and underscores
   */
  name: string
  description?: string
  url: string
}
export interface UpdateCustomAssetZoneBody {
  description?: string
  url: string
}
export interface UpdateCustomPageZoneBody {
  state: 'default' | 'customized'
  url?: string | null
}
export interface CreatePageRuleBody {
  /**
   * @minItems 1
   * @maxItems 10
   */
  targets: {
    target: 'url'
    constraint: {
      operator: 'matches' | 'contains' | 'equals'
      value: string
    }
  }[]
  /**
   * @minItems 1
   * @maxItems 50
   */
  actions: {
    id:
      | 'always_online'
      | 'always_use_https'
      | 'automatic_https_rewrites'
      | 'browser_cache_ttl'
      | 'browser_check'
      | 'bypass_cache_on_cookie'
      | 'cache_by_device_type'
      | 'cache_deception_armor'
      | 'cache_key_fields'
      | 'cache_level'
      | 'cache_on_cookie'
      | 'cache_ttl_by_status'
      | 'disable_apps'
      | 'disable_performance'
      | 'disable_railgun'
      | 'disable_security'
      | 'disable_zaraz'
      | 'edge_cache_ttl'
      | 'email_obfuscation'
      | 'explicit_cache_control'
      | 'forwarding_url'
      | 'host_header_override'
      | 'ip_geolocation'
      | 'minify'
      | 'mirage'
      | 'opportunistic_encryption'
      | 'origin_error_page_pass_thru'
      | 'polish'
      | 'railgun'
      | 'resolve_override'
      | 'respect_strong_etag'
      | 'response_buffering'
      | 'rocket_loader'
      | 'security_level'
      | 'server_side_exclude'
      | 'sort_query_string_for_cache'
      | 'ssl'
      | 'true_client_ip_header'
      | 'waf'
    value?: unknown
  }[]
  priority?: number
  status?: 'active' | 'disabled'
}
export interface ReplacePageRuleBody {
  /**
   * @minItems 1
   * @maxItems 10
   */
  targets: {
    target: 'url'
    constraint: {
      operator: 'matches' | 'contains' | 'equals'
      value: string
    }
  }[]
  /**
   * @minItems 1
   * @maxItems 50
   */
  actions: {
    id:
      | 'always_online'
      | 'always_use_https'
      | 'automatic_https_rewrites'
      | 'browser_cache_ttl'
      | 'browser_check'
      | 'bypass_cache_on_cookie'
      | 'cache_by_device_type'
      | 'cache_deception_armor'
      | 'cache_key_fields'
      | 'cache_level'
      | 'cache_on_cookie'
      | 'cache_ttl_by_status'
      | 'disable_apps'
      | 'disable_performance'
      | 'disable_railgun'
      | 'disable_security'
      | 'disable_zaraz'
      | 'edge_cache_ttl'
      | 'email_obfuscation'
      | 'explicit_cache_control'
      | 'forwarding_url'
      | 'host_header_override'
      | 'ip_geolocation'
      | 'minify'
      | 'mirage'
      | 'opportunistic_encryption'
      | 'origin_error_page_pass_thru'
      | 'polish'
      | 'railgun'
      | 'resolve_override'
      | 'respect_strong_etag'
      | 'response_buffering'
      | 'rocket_loader'
      | 'security_level'
      | 'server_side_exclude'
      | 'sort_query_string_for_cache'
      | 'ssl'
      | 'true_client_ip_header'
      | 'waf'
    value?: unknown
  }[]
  priority?: number
  status?: 'active' | 'disabled'
}
export interface EditPageRuleBody {
  /**
   * @minItems 1
   * @maxItems 10
   */
  targets?: {
    target: 'url'
    constraint: {
      operator: 'matches' | 'contains' | 'equals'
      value: string
    }
  }[]
  /**
   * @minItems 1
   * @maxItems 50
   */
  actions?: {
    id:
      | 'always_online'
      | 'always_use_https'
      | 'automatic_https_rewrites'
      | 'browser_cache_ttl'
      | 'browser_check'
      | 'bypass_cache_on_cookie'
      | 'cache_by_device_type'
      | 'cache_deception_armor'
      | 'cache_key_fields'
      | 'cache_level'
      | 'cache_on_cookie'
      | 'cache_ttl_by_status'
      | 'disable_apps'
      | 'disable_performance'
      | 'disable_railgun'
      | 'disable_security'
      | 'disable_zaraz'
      | 'edge_cache_ttl'
      | 'email_obfuscation'
      | 'explicit_cache_control'
      | 'forwarding_url'
      | 'host_header_override'
      | 'ip_geolocation'
      | 'minify'
      | 'mirage'
      | 'opportunistic_encryption'
      | 'origin_error_page_pass_thru'
      | 'polish'
      | 'railgun'
      | 'resolve_override'
      | 'respect_strong_etag'
      | 'response_buffering'
      | 'rocket_loader'
      | 'security_level'
      | 'server_side_exclude'
      | 'sort_query_string_for_cache'
      | 'ssl'
      | 'true_client_ip_header'
      | 'waf'
    value?: unknown
  }[]
  priority?: number
  status?: 'active' | 'disabled'
}
export interface CreateHealthcheckBody {
  address: string
  name: string
  check_regions?: string[] | null
  consecutive_fails?: number
  consecutive_successes?: number
  description?: string
  http_config?: {
    allow_insecure?: boolean
    expected_body?: string
    expected_codes?: string[] | null
    follow_redirects?: boolean
    header?: {
      /**
       * @maxItems 20
       *
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: string[]
    } | null
    method?: 'GET' | 'HEAD'
    path?: string
    port?: number
  } | null
  interval?: number
  retries?: number
  suspended?: boolean
  tcp_config?: {
    method?: 'connection_established'
    port?: number
  } | null
  timeout?: number
  type?: 'HTTP' | 'HTTPS' | 'TCP'
}
export interface ReplaceHealthcheckBody {
  address: string
  name: string
  check_regions?: string[] | null
  consecutive_fails?: number
  consecutive_successes?: number
  description?: string
  http_config?: {
    allow_insecure?: boolean
    expected_body?: string
    expected_codes?: string[] | null
    follow_redirects?: boolean
    header?: {
      /**
       * @maxItems 20
       *
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: string[]
    } | null
    method?: 'GET' | 'HEAD'
    path?: string
    port?: number
  } | null
  interval?: number
  retries?: number
  suspended?: boolean
  tcp_config?: {
    method?: 'connection_established'
    port?: number
  } | null
  timeout?: number
  type?: 'HTTP' | 'HTTPS' | 'TCP'
}
export interface EditHealthcheckBody {
  address?: string
  name?: string
  check_regions?: string[] | null
  consecutive_fails?: number
  consecutive_successes?: number
  description?: string
  http_config?: {
    allow_insecure?: boolean
    expected_body?: string
    expected_codes?: string[] | null
    follow_redirects?: boolean
    header?: {
      /**
       * @maxItems 20
       *
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: string[]
    } | null
    method?: 'GET' | 'HEAD'
    path?: string
    port?: number
  } | null
  interval?: number
  retries?: number
  suspended?: boolean
  tcp_config?: {
    method?: 'connection_established'
    port?: number
  } | null
  timeout?: number
  type?: 'HTTP' | 'HTTPS' | 'TCP'
}
export interface CreateCertificatePackBody {
  certificate_authority: 'google' | 'lets_encrypt' | 'ssl_com'
  /**
   * @minItems 1
   * @maxItems 50
   */
  hosts: string[]
  type: 'advanced'
  validation_method: 'txt' | 'http' | 'email'
  validity_days: 14 | 30 | 90 | 365
  cloudflare_branding?: boolean
}
export interface EditCertificatePackBody {
  certificate_authority?: 'google' | 'lets_encrypt' | 'ssl_com'
  /**
   * @minItems 1
   * @maxItems 50
   */
  hosts?: string[]
  type?: 'advanced'
  validation_method?: 'txt' | 'http' | 'email'
  validity_days?: 14 | 30 | 90 | 365
  cloudflare_branding?: boolean
}
export interface EditBotManagementBody {
  ai_bots_protection?: 'block' | 'disabled' | 'only_on_ad_pages'
  auto_update_model?: boolean
  bm_cookie_enabled?: boolean
  cf_robots_variant?: 'off' | 'policy_only'
  crawler_protection?: 'enabled' | 'disabled'
  enable_js?: boolean
  fight_mode?: boolean
  is_robots_txt_managed?: boolean
  optimize_wordpress?: boolean
  sbfm_definitely_automated?: 'allow' | 'block' | 'managed_challenge'
  sbfm_likely_automated?: 'allow' | 'block' | 'managed_challenge'
  sbfm_static_resource_protection?: boolean
  sbfm_verified_bots?: 'allow' | 'block'
  suppress_session_score?: boolean
}
export interface EditUniversalSslBody {
  enabled: boolean
}
export interface EditDnssecBody {
  dnssec_multi_signer?: boolean
  dnssec_presigned?: boolean
  dnssec_use_nsec3?: boolean
  status?: 'active' | 'disabled'
}
export interface EditSmartRoutingBody {
  value: 'on' | 'off'
}
export interface EditTieredCachingBody {
  value: 'on' | 'off'
}
export interface EditTieredCacheSmartTopologyEnableBody {
  value: 'on' | 'off'
}
export interface EditTcRegionalBody {
  value: 'on' | 'off'
}
export interface EditCacheReserveBody {
  value: 'on' | 'off'
}
export interface ReplaceHostnameTlsSettingBody {
  value: ('1.0' | '1.1' | '1.2' | '1.3' | 'on' | 'off') | string[]
}
export interface CreateAccessRuleZoneBody {
  mode: 'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
    value: string
  }
  notes?: string | null
}
export interface EditAccessRuleZoneBody {
  mode?: 'block' | 'challenge' | 'whitelist' | 'js_challenge' | 'managed_challenge'
  configuration?: {
    target: 'ip' | 'ip6' | 'ip_range' | 'asn' | 'country'
    value: string
  }
  notes?: string | null
}
export interface CreateUserAgentRuleBody {
  id?: unknown
  mode: 'block' | 'challenge' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ua'
    value: string
  }
  description?: string | null
  paused?: boolean | null
}
export interface ReplaceUserAgentRuleBody {
  id?: unknown
  mode: 'block' | 'challenge' | 'js_challenge' | 'managed_challenge'
  configuration: {
    target: 'ua'
    value: string
  }
  description?: string | null
  paused?: boolean | null
}
export interface CreateLockdownBody {
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
  /**
   * @minItems 1
   * @maxItems 100
   */
  urls: string[]
  /**
   * @minItems 1
   * @maxItems 1000
   */
  configurations: {
    target: 'ip' | 'ip_range'
    value: string
  }[]
  description?: string | null
  paused?: boolean | null
  priority?: number | null
}
export interface ReplaceLockdownBody {
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
  /**
   * @minItems 1
   * @maxItems 100
   */
  urls: string[]
  /**
   * @minItems 1
   * @maxItems 1000
   */
  configurations: {
    target: 'ip' | 'ip_range'
    value: string
  }[]
  description?: string | null
  paused?: boolean | null
  priority?: number | null
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
   * Comma-separated names
   */
  fields?: string
  filter?: string
  /**
   * Sampling interval: 1 sends every record, 10 every tenth
   */
  sample?: number
  kind?: '' | 'instant-logs'
}
export interface CreateInstantLogsOldBody {
  /**
   * Comma-separated names
   */
  fields?: string
  filter?: string
  /**
   * Sampling interval: 1 sends every record, 10 every tenth
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
export interface CreateDnsRecordBody {
  name: string
  type:
    | 'A'
    | 'AAAA'
    | 'CAA'
    | 'CERT'
    | 'CNAME'
    | 'DNSKEY'
    | 'DS'
    | 'HTTPS'
    | 'LOC'
    | 'MX'
    | 'NAPTR'
    | 'NS'
    | 'OPENPGPKEY'
    | 'PTR'
    | 'SMIMEA'
    | 'SRV'
    | 'SSHFP'
    | 'SVCB'
    | 'TLSA'
    | 'TXT'
    | 'URI'
  content?: string
  ttl?: number
  proxied?: boolean
  priority?: number
  data?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  settings?: {
    ipv4_only?: boolean | null
    ipv6_only?: boolean | null
    flatten_cname?: boolean | null
  } | null
  private_routing?: boolean
  comment?: string | null
  tags?: string[] | null
  proxiable?: unknown
  meta?: unknown
  created_on?: unknown
  modified_on?: unknown
  comment_modified_on?: unknown
  tags_modified_on?: unknown
  zone_id?: unknown
  zone_name?: unknown
  id?: unknown
}
export interface ReplaceDnsRecordBody {
  name: string
  type:
    | 'A'
    | 'AAAA'
    | 'CAA'
    | 'CERT'
    | 'CNAME'
    | 'DNSKEY'
    | 'DS'
    | 'HTTPS'
    | 'LOC'
    | 'MX'
    | 'NAPTR'
    | 'NS'
    | 'OPENPGPKEY'
    | 'PTR'
    | 'SMIMEA'
    | 'SRV'
    | 'SSHFP'
    | 'SVCB'
    | 'TLSA'
    | 'TXT'
    | 'URI'
  content?: string
  ttl?: number
  proxied?: boolean
  priority?: number
  data?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  settings?: {
    ipv4_only?: boolean | null
    ipv6_only?: boolean | null
    flatten_cname?: boolean | null
  } | null
  private_routing?: boolean
  comment?: string | null
  tags?: string[] | null
  proxiable?: unknown
  meta?: unknown
  created_on?: unknown
  modified_on?: unknown
  comment_modified_on?: unknown
  tags_modified_on?: unknown
  zone_id?: unknown
  zone_name?: unknown
  id?: unknown
}
export interface EditDnsRecordBody {
  name?: string
  type?:
    | 'A'
    | 'AAAA'
    | 'CAA'
    | 'CERT'
    | 'CNAME'
    | 'DNSKEY'
    | 'DS'
    | 'HTTPS'
    | 'LOC'
    | 'MX'
    | 'NAPTR'
    | 'NS'
    | 'OPENPGPKEY'
    | 'PTR'
    | 'SMIMEA'
    | 'SRV'
    | 'SSHFP'
    | 'SVCB'
    | 'TLSA'
    | 'TXT'
    | 'URI'
  content?: string
  ttl?: number
  proxied?: boolean
  priority?: number
  data?: {
    /**
     * This interface was referenced by `undefined`'s JSON-Schema definition
     * via the `patternProperty` "^.*$".
     */
    [k: string]: unknown
  }
  settings?: {
    ipv4_only?: boolean | null
    ipv6_only?: boolean | null
    flatten_cname?: boolean | null
  } | null
  private_routing?: boolean
  comment?: string | null
  tags?: string[] | null
  proxiable?: unknown
  meta?: unknown
  created_on?: unknown
  modified_on?: unknown
  comment_modified_on?: unknown
  tags_modified_on?: unknown
  zone_id?: unknown
  zone_name?: unknown
  id?: unknown
}
export interface BatchDnsRecordsBody {
  /**
   * @maxItems 3500
   */
  deletes?: {
    id: string
  }[]
  /**
   * @maxItems 3500
   */
  patches?: {
    name?: string
    type?:
      | 'A'
      | 'AAAA'
      | 'CAA'
      | 'CERT'
      | 'CNAME'
      | 'DNSKEY'
      | 'DS'
      | 'HTTPS'
      | 'LOC'
      | 'MX'
      | 'NAPTR'
      | 'NS'
      | 'OPENPGPKEY'
      | 'PTR'
      | 'SMIMEA'
      | 'SRV'
      | 'SSHFP'
      | 'SVCB'
      | 'TLSA'
      | 'TXT'
      | 'URI'
    content?: string
    ttl?: number
    proxied?: boolean
    priority?: number
    data?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    settings?: {
      ipv4_only?: boolean | null
      ipv6_only?: boolean | null
      flatten_cname?: boolean | null
    } | null
    private_routing?: boolean
    comment?: string | null
    tags?: string[] | null
    proxiable?: unknown
    meta?: unknown
    created_on?: unknown
    modified_on?: unknown
    comment_modified_on?: unknown
    tags_modified_on?: unknown
    zone_id?: unknown
    zone_name?: unknown
    id: string
  }[]
  /**
   * @maxItems 3500
   */
  puts?: {
    name: string
    type:
      | 'A'
      | 'AAAA'
      | 'CAA'
      | 'CERT'
      | 'CNAME'
      | 'DNSKEY'
      | 'DS'
      | 'HTTPS'
      | 'LOC'
      | 'MX'
      | 'NAPTR'
      | 'NS'
      | 'OPENPGPKEY'
      | 'PTR'
      | 'SMIMEA'
      | 'SRV'
      | 'SSHFP'
      | 'SVCB'
      | 'TLSA'
      | 'TXT'
      | 'URI'
    content?: string
    ttl?: number
    proxied?: boolean
    priority?: number
    data?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    settings?: {
      ipv4_only?: boolean | null
      ipv6_only?: boolean | null
      flatten_cname?: boolean | null
    } | null
    private_routing?: boolean
    comment?: string | null
    tags?: string[] | null
    proxiable?: unknown
    meta?: unknown
    created_on?: unknown
    modified_on?: unknown
    comment_modified_on?: unknown
    tags_modified_on?: unknown
    zone_id?: unknown
    zone_name?: unknown
    id: string
  }[]
  /**
   * @maxItems 3500
   */
  posts?: {
    name: string
    type:
      | 'A'
      | 'AAAA'
      | 'CAA'
      | 'CERT'
      | 'CNAME'
      | 'DNSKEY'
      | 'DS'
      | 'HTTPS'
      | 'LOC'
      | 'MX'
      | 'NAPTR'
      | 'NS'
      | 'OPENPGPKEY'
      | 'PTR'
      | 'SMIMEA'
      | 'SRV'
      | 'SSHFP'
      | 'SVCB'
      | 'TLSA'
      | 'TXT'
      | 'URI'
    content?: string
    ttl?: number
    proxied?: boolean
    priority?: number
    data?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: unknown
    }
    settings?: {
      ipv4_only?: boolean | null
      ipv6_only?: boolean | null
      flatten_cname?: boolean | null
    } | null
    private_routing?: boolean
    comment?: string | null
    tags?: string[] | null
    proxiable?: unknown
    meta?: unknown
    created_on?: unknown
    modified_on?: unknown
    comment_modified_on?: unknown
    tags_modified_on?: unknown
    zone_id?: unknown
    zone_name?: unknown
    id?: unknown
  }[]
}
export interface CreateLoadBalancerBody {
  name: string
  description?: string | null
  enabled?: boolean | null
  proxied?: boolean | null
  /**
   * @minItems 1
   * @maxItems 50
   */
  default_pools: string[]
  fallback_pool: string
  steering_policy?: string | null
  random_steering?: {
    default_weight?: number | null
    pool_weights?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: number
    } | null
  } | null
  adaptive_routing?: {
    failover_across_pools?: boolean | null
  } | null
  session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
  session_affinity_ttl?: number | null
  session_affinity_attributes?: {
    samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
    secure?: ('Auto' | 'Always' | 'Never') | null
    drain_duration?: number | null
    zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
    headers?: string[] | null
    require_all_headers?: boolean | null
  } | null
  ttl?: number | null
  location_strategy?: {
    mode?: string | null
    prefer_ecs?: string | null
  } | null
  country_pools?: unknown
  region_pools?: unknown
  pop_pools?: unknown
  rules?:
    | {
        name?: string | null
        condition?: string | null
        disabled?: boolean | null
        priority?: number | null
        terminates?: boolean | null
        fixed_response?: {
          status_code?: number | null
          content_type?: string | null
          location?: string | null
          message_body?: string | null
        } | null
        overrides?: {
          default_pools?: string[] | null
          fallback_pool?: string | null
          steering_policy?: string | null
          random_steering?: {
            default_weight?: number | null
            pool_weights?: {
              /**
               * This interface was referenced by `undefined`'s JSON-Schema definition
               * via the `patternProperty` "^.*$".
               */
              [k: string]: number
            } | null
          } | null
          adaptive_routing?: {
            failover_across_pools?: boolean | null
          } | null
          session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
          session_affinity_ttl?: number | null
          session_affinity_attributes?: {
            samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
            secure?: ('Auto' | 'Always' | 'Never') | null
            drain_duration?: number | null
            zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
            headers?: string[] | null
            require_all_headers?: boolean | null
          } | null
          ttl?: number | null
          location_strategy?: {
            mode?: string | null
            prefer_ecs?: string | null
          } | null
          country_pools?: unknown
          region_pools?: unknown
          pop_pools?: unknown
        } | null
      }[]
    | null
  networks?: string[] | null
  pool_sets?: unknown
  zone_name?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface ReplaceLoadBalancerBody {
  name: string
  description?: string | null
  enabled?: boolean | null
  proxied?: boolean | null
  /**
   * @minItems 1
   * @maxItems 50
   */
  default_pools: string[]
  fallback_pool: string
  steering_policy?: string | null
  random_steering?: {
    default_weight?: number | null
    pool_weights?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: number
    } | null
  } | null
  adaptive_routing?: {
    failover_across_pools?: boolean | null
  } | null
  session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
  session_affinity_ttl?: number | null
  session_affinity_attributes?: {
    samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
    secure?: ('Auto' | 'Always' | 'Never') | null
    drain_duration?: number | null
    zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
    headers?: string[] | null
    require_all_headers?: boolean | null
  } | null
  ttl?: number | null
  location_strategy?: {
    mode?: string | null
    prefer_ecs?: string | null
  } | null
  country_pools?: unknown
  region_pools?: unknown
  pop_pools?: unknown
  rules?:
    | {
        name?: string | null
        condition?: string | null
        disabled?: boolean | null
        priority?: number | null
        terminates?: boolean | null
        fixed_response?: {
          status_code?: number | null
          content_type?: string | null
          location?: string | null
          message_body?: string | null
        } | null
        overrides?: {
          default_pools?: string[] | null
          fallback_pool?: string | null
          steering_policy?: string | null
          random_steering?: {
            default_weight?: number | null
            pool_weights?: {
              /**
               * This interface was referenced by `undefined`'s JSON-Schema definition
               * via the `patternProperty` "^.*$".
               */
              [k: string]: number
            } | null
          } | null
          adaptive_routing?: {
            failover_across_pools?: boolean | null
          } | null
          session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
          session_affinity_ttl?: number | null
          session_affinity_attributes?: {
            samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
            secure?: ('Auto' | 'Always' | 'Never') | null
            drain_duration?: number | null
            zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
            headers?: string[] | null
            require_all_headers?: boolean | null
          } | null
          ttl?: number | null
          location_strategy?: {
            mode?: string | null
            prefer_ecs?: string | null
          } | null
          country_pools?: unknown
          region_pools?: unknown
          pop_pools?: unknown
        } | null
      }[]
    | null
  networks?: string[] | null
  pool_sets?: unknown
  zone_name?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface EditLoadBalancerBody {
  name?: string
  description?: string | null
  enabled?: boolean | null
  proxied?: boolean | null
  /**
   * @minItems 1
   * @maxItems 50
   */
  default_pools?: string[]
  fallback_pool?: string
  steering_policy?: string | null
  random_steering?: {
    default_weight?: number | null
    pool_weights?: {
      /**
       * This interface was referenced by `undefined`'s JSON-Schema definition
       * via the `patternProperty` "^.*$".
       */
      [k: string]: number
    } | null
  } | null
  adaptive_routing?: {
    failover_across_pools?: boolean | null
  } | null
  session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
  session_affinity_ttl?: number | null
  session_affinity_attributes?: {
    samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
    secure?: ('Auto' | 'Always' | 'Never') | null
    drain_duration?: number | null
    zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
    headers?: string[] | null
    require_all_headers?: boolean | null
  } | null
  ttl?: number | null
  location_strategy?: {
    mode?: string | null
    prefer_ecs?: string | null
  } | null
  country_pools?: unknown
  region_pools?: unknown
  pop_pools?: unknown
  rules?:
    | {
        name?: string | null
        condition?: string | null
        disabled?: boolean | null
        priority?: number | null
        terminates?: boolean | null
        fixed_response?: {
          status_code?: number | null
          content_type?: string | null
          location?: string | null
          message_body?: string | null
        } | null
        overrides?: {
          default_pools?: string[] | null
          fallback_pool?: string | null
          steering_policy?: string | null
          random_steering?: {
            default_weight?: number | null
            pool_weights?: {
              /**
               * This interface was referenced by `undefined`'s JSON-Schema definition
               * via the `patternProperty` "^.*$".
               */
              [k: string]: number
            } | null
          } | null
          adaptive_routing?: {
            failover_across_pools?: boolean | null
          } | null
          session_affinity?: ('' | 'none' | 'cookie' | 'ip_cookie' | 'header') | null
          session_affinity_ttl?: number | null
          session_affinity_attributes?: {
            samesite?: ('Auto' | 'Lax' | 'None' | 'Strict') | null
            secure?: ('Auto' | 'Always' | 'Never') | null
            drain_duration?: number | null
            zero_downtime_failover?: ('none' | 'temporary' | 'sticky') | null
            headers?: string[] | null
            require_all_headers?: boolean | null
          } | null
          ttl?: number | null
          location_strategy?: {
            mode?: string | null
            prefer_ecs?: string | null
          } | null
          country_pools?: unknown
          region_pools?: unknown
          pop_pools?: unknown
        } | null
      }[]
    | null
  networks?: string[] | null
  pool_sets?: unknown
  zone_name?: unknown
  id?: unknown
  created_on?: unknown
  modified_on?: unknown
}
export interface PutShadowBody {
  enabled: boolean
  version: string
  paranoia_level: number
  score_threshold: number
  sample_rate: number
}
export interface EditZoneSettingsBody {
  /**
   * @minItems 1
   * @maxItems 100
   */
  items: {
    id: string
    value?: unknown
    enabled?: boolean
  }[]
}
export interface EditZoneSettingBody {
  value?: unknown
  enabled?: boolean
}
export interface CreateCustomCertificateBody {
  /**
   * PEM: the certificate, then its chain
   */
  certificate: string
  /**
   * PEM, not encrypted; never returned
   */
  private_key: string
  bundle_method?: 'ubiquitous' | 'optimal' | 'force'
  type?: 'legacy_custom' | 'sni_custom'
  custom_csr_id?: unknown
  geo_restrictions?: unknown
  policy?: unknown
  deploy?: 'staging' | 'production'
}
export interface EditCustomCertificateBody {
  /**
   * PEM: the certificate, then its chain
   */
  certificate?: string
  /**
   * PEM, not encrypted; never returned
   */
  private_key?: string
  bundle_method?: 'ubiquitous' | 'optimal' | 'force'
  custom_csr_id?: unknown
  geo_restrictions?: unknown
  policy?: unknown
  deploy?: 'staging' | 'production'
}
export interface PrioritizeCustomCertificatesBody {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  certificates: {
    /**
     * 32 lower-case hex digits
     */
    id: string
    priority: number
  }[]
}
export interface CreateOriginClientCertificateBody {
  /**
   * PEM
   */
  certificate: string
  /**
   * PEM, not encrypted; never returned
   */
  private_key: string
}
export interface SetOriginClientAuthBody {
  enabled: boolean
}
export interface AddToTrustStoreBody {
  /**
   * PEM
   */
  certificate: string
}
export interface UpdateUrlNormalizationBody {
  type: 'cloudflare' | 'rfc3986'
  scope: 'incoming' | 'both' | 'none'
}
export interface SetLeakedCredentialChecksBody {
  enabled: boolean
}
export interface CreateCredentialDetectionBody {
  username?: string
  password?: string
}
export interface UpdateCredentialDetectionBody {
  username?: string
  password?: string
}
export interface EditManagedHeadersBody {
  /**
   * @maxItems 20
   */
  managed_request_headers?: {
    id:
      | 'add_true_client_ip_headers'
      | 'add_visitor_location_headers'
      | 'remove_visitor_ip_headers'
      | 'add_bot_protection_headers'
      | 'add_client_certificate_headers'
      | 'add_waf_credential_check_status_header'
    enabled: boolean
    has_conflict?: boolean
    /**
     * @maxItems 10
     */
    conflicts_with?: string[]
  }[]
  /**
   * @maxItems 20
   */
  managed_response_headers?: {
    id: 'remove_x-powered-by_header' | 'add_security_headers' | 'remove_x_powered_by_headers'
    enabled: boolean
    has_conflict?: boolean
    /**
     * @maxItems 10
     */
    conflicts_with?: string[]
  }[]
}
export interface PreviewExceptionBody {
  /**
   * Requests that the exception applies to
   */
  expression: string
  /**
   * Parameters of the skip rule in the entry point of http_request_firewall_managed: ruleset, rulesets, rules or targets
   */
  action_parameters: {
    [k: string]: unknown
  }
  /**
   * Inclusive; by default a day before `until`. Unix seconds, Unix nanoseconds or RFC 3339 such as 2026-01-02T03:04:05Z
   */
  since?: string
  /**
   * Exclusive; by default now
   */
  until?: string
}

/** Method and path below /client/v4 → input and output. */
export interface Operations {
  "DELETE /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/alerting/v3/policies/{policy_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/custom_pages/assets/{asset_name}": { result: unknown; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/firewall/access_rules/rules/{access_rule_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/load_balancers/monitors/{monitor_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/load_balancers/pools/{pool_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/logpush/jobs/{job_id}": { result: JobId; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/members/{member_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/rules/lists/{list_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemIds; query: undefined }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/rulesets/{ruleset_id}/versions/{version}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /accounts/{account_id}/tokens/{token_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /user/sessions/{session_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /user/tokens/{token_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /user/two_factor_authentication": { result: OwnSignIn; body: EndTwoFactorBody; query: undefined }
  "DELETE /zones/{zone_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/acm/custom_trust_store/{certificate_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/custom_certificates/{certificate_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/custom_pages/assets/{asset_name}": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/dns_records/{record_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/dnssec": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/firewall/access_rules/rules/{access_rule_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/firewall/lockdowns/{lockdown_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/healthchecks/{healthcheck_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/hostnames/settings/{setting_id}/{hostname}": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/load_balancers/{load_balancer_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/logpush/edge/jobs": { result: InstantSession[]; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/logpush/jobs/{job_id}": { result: JobId; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/managed_headers": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/origin_tls_client_auth/{certificate_id}": { result: OriginClientCertificate; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/pagerules/{page_rule_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/rulesets/{ruleset_id}/versions/{version}": { result: unknown; body: undefined; query: { "dry_run"?: "true" | "false" } }
  "DELETE /zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}": { result: Id; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/url_normalization": { result: unknown; body: undefined; query: undefined }
  "DELETE /zones/{zone_id}/waf/shadow": { result: Shadow; body: undefined; query: undefined }
  "GET /accounts": { result: Account[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "name"?: string } }
  "GET /accounts/{account_id}": { result: Account; body: undefined; query: undefined }
  "GET /accounts/{account_id}/alerting/v3/available_alerts": { result: unknown; body: undefined; query: undefined }
  "GET /accounts/{account_id}/alerting/v3/destinations/eligible": { result: unknown; body: undefined; query: undefined }
  "GET /accounts/{account_id}/alerting/v3/destinations/pagerduty": { result: unknown[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/alerting/v3/destinations/webhooks": { result: NotificationWebhook[]; body: undefined; query: { "page"?: number; "per_page"?: number } }
  "GET /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}": { result: NotificationWebhook; body: undefined; query: undefined }
  "GET /accounts/{account_id}/alerting/v3/history": { result: SentNotification[]; body: undefined; query: { "page"?: number; "per_page"?: number; "since"?: string; "before"?: string } }
  "GET /accounts/{account_id}/alerting/v3/policies": { result: NotificationPolicy[]; body: undefined; query: { "page"?: number; "per_page"?: number } }
  "GET /accounts/{account_id}/alerting/v3/policies/{policy_id}": { result: NotificationPolicy; body: undefined; query: undefined }
  "GET /accounts/{account_id}/audit_logs": { result: AuditLog[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "id"?: string; "since"?: string; "before"?: string; "zone.name"?: string; "resource.type"?: string; "actor.id"?: string; "actor.email"?: string; "actor.ip"?: string; "action.type"?: string } }
  "GET /accounts/{account_id}/coverage": { result: Coverage; body: undefined; query: undefined }
  "GET /accounts/{account_id}/custom_pages": { result: CustomPage[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/custom_pages/assets": { result: CustomAsset[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc" } }
  "GET /accounts/{account_id}/custom_pages/assets/{asset_name}": { result: CustomAsset; body: undefined; query: undefined }
  "GET /accounts/{account_id}/custom_pages/{identifier}": { result: CustomPage; body: undefined; query: undefined }
  "GET /accounts/{account_id}/edge": { result: EdgeAddress; body: undefined; query: undefined }
  "GET /accounts/{account_id}/firewall/access_rules/rules": { result: AccessRule[]; body: undefined; query: { "mode"?: "block" | "challenge" | "whitelist" | "js_challenge" | "managed_challenge"; "configuration.target"?: "ip" | "ip6" | "ip_range" | "asn" | "country"; "configuration.value"?: string; "notes"?: string; "match"?: "any" | "all"; "order"?: "configuration.target" | "configuration.value" | "mode"; "direction"?: "asc" | "desc"; "page"?: number; "per_page"?: number } }
  "GET /accounts/{account_id}/firewall/access_rules/rules/{access_rule_id}": { result: AccessRule; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/monitors": { result: Monitor[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/monitors/{monitor_id}": { result: Monitor; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/monitors/{monitor_id}/references": { result: LoadBalancingReference[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/pools": { result: Pool[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/pools/{pool_id}": { result: Pool; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/pools/{pool_id}/health": { result: PoolHealth; body: undefined; query: undefined }
  "GET /accounts/{account_id}/load_balancers/pools/{pool_id}/references": { result: LoadBalancingReference[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/fields": { result: Fields; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/fields/default": { result: Fields; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/datasets/{dataset}/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs": { result: LogpushJob[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/health": { result: LogpushHealth; body: undefined; query: { "since"?: string } }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/replays": { result: LogpushReplay[]; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/jobs/{job_id}/replays/{replay_id}": { result: LogpushReplay; body: undefined; query: undefined }
  "GET /accounts/{account_id}/logpush/overview": { result: LogpushOverview; body: undefined; query: undefined }
  "GET /accounts/{account_id}/members": { result: Member[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "order"?: "user.first_name" | "user.last_name" | "user.email" | "status"; "status"?: "accepted" | "pending" | "rejected" } }
  "GET /accounts/{account_id}/members/{member_id}": { result: Member; body: undefined; query: undefined }
  "GET /accounts/{account_id}/permissions": { result: AccountPermissions; body: undefined; query: undefined }
  "GET /accounts/{account_id}/roles": { result: Role[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc" } }
  "GET /accounts/{account_id}/roles/{role_id}": { result: Role; body: undefined; query: undefined }
  "GET /accounts/{account_id}/rollout": { result: Rollout; body: undefined; query: undefined }
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
  "GET /ips": { result: IpRanges; body: undefined; query: undefined }
  "GET /memberships": { result: Membership[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc" } }
  "GET /openapi.json": { result: unknown; body: undefined; query: undefined }
  "GET /sign_in": { result: SignInWays; body: undefined; query: undefined }
  "GET /sign_in/oidc": { result: unknown; body: undefined; query: { "to"?: string } }
  "GET /sign_in/oidc/callback": { result: unknown; body: undefined; query: undefined }
  "GET /user": { result: User; body: undefined; query: undefined }
  "GET /user/sessions": { result: UserSession[]; body: undefined; query: undefined }
  "GET /user/sign_in": { result: OwnSignIn; body: undefined; query: undefined }
  "GET /user/tokens": { result: Token[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "include_expired"?: boolean } }
  "GET /user/tokens/permission_groups": { result: PermissionGroup[]; body: undefined; query: { "name"?: string; "scope"?: string } }
  "GET /user/tokens/verify": { result: TokenStatus; body: undefined; query: undefined }
  "GET /user/tokens/{token_id}": { result: Token; body: undefined; query: undefined }
  "GET /zones": { result: Zone[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "name"?: string; "status"?: "initializing" | "pending" | "active" | "moved"; "match"?: "any" | "all"; "order"?: "name" | "status" | "account.id" | "account.name" | "plan.id"; "account.id"?: string; "account.name"?: string } }
  "GET /zones/{zone_id}": { result: Zone; body: undefined; query: undefined }
  "GET /zones/{zone_id}/acm/custom_trust_store": { result: TrustStoreCertificate[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc" } }
  "GET /zones/{zone_id}/acm/custom_trust_store/{certificate_id}": { result: TrustStoreCertificate; body: undefined; query: undefined }
  "GET /zones/{zone_id}/argo/smart_routing": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/argo/tiered_caching": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/bot_management": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/cache/cache_reserve": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/cache/regional_tiered_cache": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/cache/tiered_cache_smart_topology_enable": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/certificates_in_use": { result: CertificateInUse[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/coverage": { result: Coverage; body: undefined; query: undefined }
  "GET /zones/{zone_id}/custom_certificates": { result: CustomCertificate[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "status"?: "active" | "expired" | "deleted" | "pending" | "initializing"; "match"?: "any" | "all"; "order"?: "status" | "issuer" | "priority" | "expires_on" } }
  "GET /zones/{zone_id}/custom_certificates/{certificate_id}": { result: CustomCertificate; body: undefined; query: undefined }
  "GET /zones/{zone_id}/custom_pages": { result: CustomPage[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/custom_pages/assets": { result: CustomAsset[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc" } }
  "GET /zones/{zone_id}/custom_pages/assets/{asset_name}": { result: CustomAsset; body: undefined; query: undefined }
  "GET /zones/{zone_id}/custom_pages/{identifier}": { result: CustomPage; body: undefined; query: undefined }
  "GET /zones/{zone_id}/dns_records": { result: DnsRecord[]; body: undefined; query: { "page"?: number; "per_page"?: number; "direction"?: "asc" | "desc"; "type"?: "A" | "AAAA" | "CAA" | "CERT" | "CNAME" | "DNSKEY" | "DS" | "HTTPS" | "LOC" | "MX" | "NAPTR" | "NS" | "OPENPGPKEY" | "PTR" | "SMIMEA" | "SRV" | "SSHFP" | "SVCB" | "TLSA" | "TXT" | "URI"; "proxied"?: boolean; "search"?: string; "order"?: "type" | "name" | "content" | "ttl" | "proxied"; "match"?: "any" | "all"; "tag_match"?: "any" | "all"; "name"?: string; "content"?: string; "comment"?: string; "tag"?: string; "name.exact"?: string; "name.contains"?: string; "name.startswith"?: string; "name.endswith"?: string; "content.exact"?: string; "content.contains"?: string; "content.startswith"?: string; "content.endswith"?: string; "comment.exact"?: string; "comment.contains"?: string; "comment.startswith"?: string; "comment.endswith"?: string; "comment.present"?: string; "comment.absent"?: string; "tag.exact"?: string; "tag.contains"?: string; "tag.startswith"?: string; "tag.endswith"?: string; "tag.present"?: string; "tag.absent"?: string } }
  "GET /zones/{zone_id}/dns_records/export": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/dns_records/{record_id}": { result: DnsRecord; body: undefined; query: undefined }
  "GET /zones/{zone_id}/dnssec": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/firewall/access_rules/rules": { result: AccessRule[]; body: undefined; query: { "mode"?: "block" | "challenge" | "whitelist" | "js_challenge" | "managed_challenge"; "configuration.target"?: "ip" | "ip6" | "ip_range" | "asn" | "country"; "configuration.value"?: string; "notes"?: string; "match"?: "any" | "all"; "order"?: "configuration.target" | "configuration.value" | "mode"; "direction"?: "asc" | "desc"; "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/firewall/access_rules/rules/{access_rule_id}": { result: AccessRule; body: undefined; query: undefined }
  "GET /zones/{zone_id}/firewall/lockdowns": { result: Lockdown[]; body: undefined; query: { "description"?: string; "description_search"?: string; "uri_search"?: string; "ip"?: string; "ip_search"?: string; "ip_range_search"?: string; "priority"?: number; "created_on"?: string; "modified_on"?: string; "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/firewall/lockdowns/{lockdown_id}": { result: Lockdown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/firewall/ua_rules": { result: UserAgentRule[]; body: undefined; query: { "description"?: string; "user_agent"?: string; "paused"?: boolean; "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}": { result: UserAgentRule; body: undefined; query: undefined }
  "GET /zones/{zone_id}/healthchecks": { result: unknown[]; body: undefined; query: { "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/healthchecks/{healthcheck_id}": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/hostnames/settings/{setting_id}": { result: unknown[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/hostnames/settings/{setting_id}/{hostname}": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/leaked-credential-checks": { result: LeakedCredentialChecks; body: undefined; query: undefined }
  "GET /zones/{zone_id}/leaked-credential-checks/detections": { result: CredentialDetection[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}": { result: CredentialDetection; body: undefined; query: undefined }
  "GET /zones/{zone_id}/load_balancers": { result: LoadBalancer[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/load_balancers/{load_balancer_id}": { result: LoadBalancer; body: undefined; query: undefined }
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
  "GET /zones/{zone_id}/logpush/overview": { result: LogpushOverview; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/control/redaction": { result: Redaction; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/control/retention/flag": { result: LogRetention; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/rayids/{ray_id}": { result: unknown; body: undefined; query: { "fields"?: string; "timestamps"?: "unixnano" | "unix" | "rfc3339" } }
  "GET /zones/{zone_id}/logs/received": { result: unknown; body: undefined; query: { "start"?: string; "end": string; "count"?: number; "sample"?: string; "fields"?: string; "timestamps"?: "unixnano" | "unix" | "rfc3339"; "CVE-2021-44228"?: "true" | "false" } }
  "GET /zones/{zone_id}/logs/received/fields": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/logs/sample": { result: LogSample; body: undefined; query: { "count"?: number; "dataset"?: "http_requests" | "firewall_events"; "fields"?: string } }
  "GET /zones/{zone_id}/logs/search": { result: unknown[]; body: undefined; query: { "since"?: string; "until"?: string; "dataset"?: "http_requests" | "firewall_events"; "filter"?: string; "expression"?: string; "fields"?: string; "order"?: "asc" | "desc"; "limit"?: number; "cursor"?: string } }
  "GET /zones/{zone_id}/logs/search/export": { result: unknown; body: undefined; query: { "since"?: string; "until"?: string; "dataset"?: "http_requests" | "firewall_events"; "filter"?: string; "expression"?: string; "fields"?: string } }
  "GET /zones/{zone_id}/managed_headers": { result: ManagedHeaders; body: undefined; query: undefined }
  "GET /zones/{zone_id}/origin_tls_client_auth": { result: OriginClientCertificate[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/origin_tls_client_auth/settings": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/origin_tls_client_auth/{certificate_id}": { result: OriginClientCertificate; body: undefined; query: undefined }
  "GET /zones/{zone_id}/pagerules": { result: unknown[]; body: undefined; query: { "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/pagerules/{page_rule_id}": { result: unknown; body: undefined; query: undefined }
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
  "GET /zones/{zone_id}/settings": { result: ZoneSetting[]; body: undefined; query: undefined }
  "GET /zones/{zone_id}/settings/{setting_id}": { result: ZoneSetting; body: undefined; query: undefined }
  "GET /zones/{zone_id}/ssl/certificate_packs": { result: unknown[]; body: undefined; query: { "page"?: number; "per_page"?: number } }
  "GET /zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/ssl/universal/settings": { result: unknown; body: undefined; query: undefined }
  "GET /zones/{zone_id}/subscription": { result: Subscription; body: undefined; query: undefined }
  "GET /zones/{zone_id}/url_normalization": { result: UrlNormalization; body: undefined; query: undefined }
  "GET /zones/{zone_id}/waf/crs_releases/{release}/rules/{number}": { result: CrsRule; body: undefined; query: undefined }
  "GET /zones/{zone_id}/waf/shadow": { result: Shadow; body: undefined; query: undefined }
  "PATCH /accounts/{account_id}/firewall/access_rules/rules/{access_rule_id}": { result: AccessRule; body: EditAccessRuleAccountBody; query: undefined }
  "PATCH /accounts/{account_id}/load_balancers/monitors/{monitor_id}": { result: Monitor; body: EditMonitorBody; query: undefined }
  "PATCH /accounts/{account_id}/load_balancers/pools/{pool_id}": { result: Pool; body: EditPoolBody; query: undefined }
  "PATCH /accounts/{account_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: RuleUpdate; query: { "dry_run"?: "true" | "false" } }
  "PATCH /accounts/{account_id}/waf/crs_releases/{release}": { result: CrsRelease; body: UseCrsReleaseBody; query: undefined }
  "PATCH /zones/{zone_id}": { result: Zone; body: EditZoneBody; query: undefined }
  "PATCH /zones/{zone_id}/argo/smart_routing": { result: unknown; body: EditSmartRoutingBody; query: undefined }
  "PATCH /zones/{zone_id}/argo/tiered_caching": { result: unknown; body: EditTieredCachingBody; query: undefined }
  "PATCH /zones/{zone_id}/cache/cache_reserve": { result: unknown; body: EditCacheReserveBody; query: undefined }
  "PATCH /zones/{zone_id}/cache/regional_tiered_cache": { result: unknown; body: EditTcRegionalBody; query: undefined }
  "PATCH /zones/{zone_id}/cache/tiered_cache_smart_topology_enable": { result: unknown; body: EditTieredCacheSmartTopologyEnableBody; query: undefined }
  "PATCH /zones/{zone_id}/custom_certificates/{certificate_id}": { result: CustomCertificate; body: EditCustomCertificateBody; query: undefined }
  "PATCH /zones/{zone_id}/dns_records/{record_id}": { result: DnsRecord; body: EditDnsRecordBody; query: undefined }
  "PATCH /zones/{zone_id}/dnssec": { result: unknown; body: EditDnssecBody; query: undefined }
  "PATCH /zones/{zone_id}/firewall/access_rules/rules/{access_rule_id}": { result: AccessRule; body: EditAccessRuleZoneBody; query: undefined }
  "PATCH /zones/{zone_id}/healthchecks/{healthcheck_id}": { result: unknown; body: EditHealthcheckBody; query: undefined }
  "PATCH /zones/{zone_id}/load_balancers/{load_balancer_id}": { result: LoadBalancer; body: EditLoadBalancerBody; query: undefined }
  "PATCH /zones/{zone_id}/managed_headers": { result: ManagedHeaders; body: EditManagedHeadersBody; query: undefined }
  "PATCH /zones/{zone_id}/pagerules/{page_rule_id}": { result: unknown; body: EditPageRuleBody; query: undefined }
  "PATCH /zones/{zone_id}/rulesets/{ruleset_id}/rules/{rule_id}": { result: Ruleset; body: RuleUpdate; query: { "dry_run"?: "true" | "false" } }
  "PATCH /zones/{zone_id}/settings": { result: ZoneSetting[]; body: EditZoneSettingsBody; query: undefined }
  "PATCH /zones/{zone_id}/settings/{setting_id}": { result: ZoneSetting; body: EditZoneSettingBody; query: undefined }
  "PATCH /zones/{zone_id}/ssl/certificate_packs/{certificate_pack_id}": { result: unknown; body: EditCertificatePackBody; query: undefined }
  "PATCH /zones/{zone_id}/ssl/universal/settings": { result: unknown; body: EditUniversalSslBody; query: undefined }
  "POST /accounts": { result: Account; body: CreateAccountBody; query: undefined }
  "POST /accounts/{account_id}/alerting/v3/destinations/webhooks": { result: Id; body: CreateNotificationWebhookBody; query: undefined }
  "POST /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}/test": { result: Id; body: undefined; query: undefined }
  "POST /accounts/{account_id}/alerting/v3/policies": { result: Id; body: CreateNotificationPolicyBody; query: undefined }
  "POST /accounts/{account_id}/alerting/v3/policies/{policy_id}/test": { result: unknown[]; body: undefined; query: undefined }
  "POST /accounts/{account_id}/custom_pages/assets": { result: CustomAsset; body: CreateCustomAssetAccountBody; query: undefined }
  "POST /accounts/{account_id}/firewall/access_rules/rules": { result: AccessRule; body: CreateAccessRuleAccountBody; query: undefined }
  "POST /accounts/{account_id}/load_balancers/monitors": { result: Monitor; body: CreateMonitorBody; query: undefined }
  "POST /accounts/{account_id}/load_balancers/pools": { result: Pool; body: CreatePoolBody; query: undefined }
  "POST /accounts/{account_id}/logpush/jobs": { result: LogpushJob; body: LogpushJobInput; query: undefined }
  "POST /accounts/{account_id}/logpush/jobs/{job_id}/replay": { result: LogpushReplay; body: CreateLogpushReplayAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/ownership": { result: Ownership; body: CreateOwnershipAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/ownership/validate": { result: Valid; body: ValidateOwnershipAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/destination": { result: Valid; body: ValidateDestinationAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/destination/exists": { result: Exists; body: DestinationExistsAccountBody; query: undefined }
  "POST /accounts/{account_id}/logpush/validate/origin": { result: Valid; body: ValidateLogpullOptionsAccountBody; query: undefined }
  "POST /accounts/{account_id}/logs/sql": { result: unknown; body: QueryLogsBody; query: undefined }
  "POST /accounts/{account_id}/logs/sql/export": { result: unknown; body: ExportQueriedLogsBody; query: undefined }
  "POST /accounts/{account_id}/members": { result: CreatedMember; body: CreateMemberBody; query: undefined }
  "POST /accounts/{account_id}/members/{member_id}/invitation": { result: Invitation; body: undefined; query: undefined }
  "POST /accounts/{account_id}/origin_check": { result: OriginCheck; body: CheckOriginBody; query: undefined }
  "POST /accounts/{account_id}/request-tracer/trace": { result: RequestTrace; body: TraceInput; query: undefined }
  "POST /accounts/{account_id}/rollout": { result: Rollout; body: ActOnRolloutBody; query: undefined }
  "POST /accounts/{account_id}/rules/lists": { result: List; body: CreateListBody; query: undefined }
  "POST /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemsInput; query: undefined }
  "POST /accounts/{account_id}/rulesets": { result: Ruleset; body: RulesetInput; query: { "dry_run"?: "true" | "false" } }
  "POST /accounts/{account_id}/rulesets/{ruleset_id}/rules": { result: Ruleset; body: RuleInput; query: { "dry_run"?: "true" | "false" } }
  "POST /accounts/{account_id}/tokens": { result: CreatedToken; body: CreateAccountTokenBody; query: undefined }
  "POST /accounts/{account_id}/waf/crs_releases": { result: CrsRelease; body: undefined; query: undefined }
  "POST /sign_in": { result: UserSession; body: SignInBody; query: undefined }
  "POST /sign_in/invitation": { result: UserSession; body: AcceptInvitationBody; query: undefined }
  "POST /user/tokens": { result: CreatedToken; body: CreateUserTokenBody; query: undefined }
  "POST /user/two_factor_authentication": { result: TotpSecret; body: BeginTwoFactorBody; query: undefined }
  "POST /zones": { result: Zone; body: CreateZoneBody; query: undefined }
  "POST /zones/{zone_id}/acm/custom_trust_store": { result: TrustStoreCertificate; body: AddToTrustStoreBody; query: undefined }
  "POST /zones/{zone_id}/custom_certificates": { result: CustomCertificate; body: CreateCustomCertificateBody; query: undefined }
  "POST /zones/{zone_id}/custom_pages/assets": { result: CustomAsset; body: CreateCustomAssetZoneBody; query: undefined }
  "POST /zones/{zone_id}/dns_records": { result: DnsRecord; body: CreateDnsRecordBody; query: undefined }
  "POST /zones/{zone_id}/dns_records/batch": { result: DnsBatch; body: BatchDnsRecordsBody; query: undefined }
  "POST /zones/{zone_id}/dns_records/import": { result: DnsImport; body: undefined; query: undefined }
  "POST /zones/{zone_id}/firewall/access_rules/rules": { result: AccessRule; body: CreateAccessRuleZoneBody; query: undefined }
  "POST /zones/{zone_id}/firewall/lockdowns": { result: Lockdown; body: CreateLockdownBody; query: undefined }
  "POST /zones/{zone_id}/firewall/ua_rules": { result: UserAgentRule; body: CreateUserAgentRuleBody; query: undefined }
  "POST /zones/{zone_id}/healthchecks": { result: unknown; body: CreateHealthcheckBody; query: undefined }
  "POST /zones/{zone_id}/leaked-credential-checks": { result: LeakedCredentialChecks; body: SetLeakedCredentialChecksBody; query: undefined }
  "POST /zones/{zone_id}/leaked-credential-checks/detections": { result: CredentialDetection; body: CreateCredentialDetectionBody; query: undefined }
  "POST /zones/{zone_id}/load_balancers": { result: LoadBalancer; body: CreateLoadBalancerBody; query: undefined }
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
  "POST /zones/{zone_id}/origin_tls_client_auth": { result: OriginClientCertificate; body: CreateOriginClientCertificateBody; query: undefined }
  "POST /zones/{zone_id}/pagerules": { result: unknown; body: CreatePageRuleBody; query: undefined }
  "POST /zones/{zone_id}/rulesets": { result: Ruleset; body: RulesetInput; query: { "dry_run"?: "true" | "false" } }
  "POST /zones/{zone_id}/rulesets/{ruleset_id}/rules": { result: Ruleset; body: RuleInput; query: { "dry_run"?: "true" | "false" } }
  "POST /zones/{zone_id}/security/exceptions/preview": { result: ExceptionPreview; body: PreviewExceptionBody; query: undefined }
  "POST /zones/{zone_id}/ssl/certificate_packs/order": { result: unknown; body: CreateCertificatePackBody; query: undefined }
  "PUT /accounts/{account_id}": { result: Account; body: UpdateAccountBody; query: undefined }
  "PUT /accounts/{account_id}/alerting/v3/destinations/webhooks/{webhook_id}": { result: Id; body: ReplaceNotificationWebhookBody; query: undefined }
  "PUT /accounts/{account_id}/alerting/v3/policies/{policy_id}": { result: Id; body: UpdateNotificationPolicyBody; query: undefined }
  "PUT /accounts/{account_id}/custom_pages/assets/{asset_name}": { result: CustomAsset; body: UpdateCustomAssetAccountBody; query: undefined }
  "PUT /accounts/{account_id}/custom_pages/{identifier}": { result: CustomPage; body: UpdateCustomPageAccountBody; query: undefined }
  "PUT /accounts/{account_id}/load_balancers/monitors/{monitor_id}": { result: Monitor; body: ReplaceMonitorBody; query: undefined }
  "PUT /accounts/{account_id}/load_balancers/pools/{pool_id}": { result: Pool; body: ReplacePoolBody; query: undefined }
  "PUT /accounts/{account_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: LogpushJobUpdate; query: undefined }
  "PUT /accounts/{account_id}/members/{member_id}": { result: Member; body: UpdateMemberBody; query: undefined }
  "PUT /accounts/{account_id}/rules/lists/{list_id}": { result: List; body: UpdateListBody; query: undefined }
  "PUT /accounts/{account_id}/rules/lists/{list_id}/items": { result: OperationId; body: ListItemsInput; query: undefined }
  "PUT /accounts/{account_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: EntryPointUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /accounts/{account_id}/rulesets/{ruleset_id}": { result: Ruleset; body: RulesetUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /accounts/{account_id}/tokens/{token_id}": { result: Token; body: UpdateAccountTokenBody; query: undefined }
  "PUT /accounts/{account_id}/tokens/{token_id}/value": { result: TokenValue; body: undefined; query: undefined }
  "PUT /user/password": { result: OwnSignIn; body: SetOwnPasswordBody; query: undefined }
  "PUT /user/tokens/{token_id}": { result: Token; body: UpdateUserTokenBody; query: undefined }
  "PUT /user/tokens/{token_id}/value": { result: TokenValue; body: undefined; query: undefined }
  "PUT /user/two_factor_authentication": { result: RecoveryCodes; body: ConfirmTwoFactorBody; query: undefined }
  "PUT /zones/{zone_id}/bot_management": { result: unknown; body: EditBotManagementBody; query: undefined }
  "PUT /zones/{zone_id}/custom_certificates/prioritize": { result: CustomCertificate[]; body: PrioritizeCustomCertificatesBody; query: undefined }
  "PUT /zones/{zone_id}/custom_pages/assets/{asset_name}": { result: CustomAsset; body: UpdateCustomAssetZoneBody; query: undefined }
  "PUT /zones/{zone_id}/custom_pages/{identifier}": { result: CustomPage; body: UpdateCustomPageZoneBody; query: undefined }
  "PUT /zones/{zone_id}/dns_records/{record_id}": { result: DnsRecord; body: ReplaceDnsRecordBody; query: undefined }
  "PUT /zones/{zone_id}/firewall/lockdowns/{lockdown_id}": { result: Lockdown; body: ReplaceLockdownBody; query: undefined }
  "PUT /zones/{zone_id}/firewall/ua_rules/{ua_rule_id}": { result: UserAgentRule; body: ReplaceUserAgentRuleBody; query: undefined }
  "PUT /zones/{zone_id}/healthchecks/{healthcheck_id}": { result: unknown; body: ReplaceHealthcheckBody; query: undefined }
  "PUT /zones/{zone_id}/hostnames/settings/{setting_id}/{hostname}": { result: unknown; body: ReplaceHostnameTlsSettingBody; query: undefined }
  "PUT /zones/{zone_id}/leaked-credential-checks/detections/{detection_id}": { result: CredentialDetection; body: UpdateCredentialDetectionBody; query: undefined }
  "PUT /zones/{zone_id}/load_balancers/{load_balancer_id}": { result: LoadBalancer; body: ReplaceLoadBalancerBody; query: undefined }
  "PUT /zones/{zone_id}/logpush/jobs/{job_id}": { result: LogpushJob; body: LogpushJobUpdate; query: undefined }
  "PUT /zones/{zone_id}/logs/control/redaction": { result: Redaction; body: UpdateRedactionBody; query: undefined }
  "PUT /zones/{zone_id}/origin_tls_client_auth/settings": { result: unknown; body: SetOriginClientAuthBody; query: undefined }
  "PUT /zones/{zone_id}/pagerules/{page_rule_id}": { result: unknown; body: ReplacePageRuleBody; query: undefined }
  "PUT /zones/{zone_id}/rulesets/phases/{phase}/entrypoint": { result: Ruleset; body: EntryPointUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /zones/{zone_id}/rulesets/{ruleset_id}": { result: Ruleset; body: RulesetUpdate; query: { "dry_run"?: "true" | "false" } }
  "PUT /zones/{zone_id}/security/what_if/sampling": { result: WhatIfSampling; body: WhatIfSampling; query: undefined }
  "PUT /zones/{zone_id}/url_normalization": { result: UrlNormalization; body: UpdateUrlNormalizationBody; query: undefined }
  "PUT /zones/{zone_id}/waf/shadow": { result: Shadow; body: PutShadowBody; query: undefined }
}
