import { neutralFields } from './neutral-values.ts'

/** API Shield: endpoints, schemas, sequences and tokens that are configured elsewhere at Cloudflare. */
export const apiFields = [
  ...neutralFields('there are no API endpoints and schemas to compare a request with', [
    ['cf.api_gateway.auth_id_present', 'Boolean'],
    ['cf.api_gateway.request_violates_schema', 'Boolean'],
    ['cf.api_gateway.fallthrough_detected', 'Boolean'],
    ['cf.schema_validation.uploaded.violated', 'Boolean'],
    ['cf.schema_validation.learned.violated', 'Boolean'],
  ]),
  ...neutralFields('there are no sequences of API operations', [
    ['cf.sequence.current_op', 'String'],
    ['cf.sequence.previous_ops', 'Array<String>'],
    ['cf.sequence.msec_since_op', 'Map<Integer>'],
  ]),
  ...neutralFields('there are no token configurations', [
    ['http.request.jwt.claims.aud', 'Map<Array<String>>'],
    ['http.request.jwt.claims.aud.names', 'Array<String>'],
    ['http.request.jwt.claims.aud.values', 'Array<String>'],
    ['http.request.jwt.claims.iat.sec', 'Map<Array<Integer>>'],
    ['http.request.jwt.claims.iat.sec.names', 'Array<String>'],
    ['http.request.jwt.claims.iat.sec.values', 'Array<Integer>'],
    ['http.request.jwt.claims.iss', 'Map<Array<String>>'],
    ['http.request.jwt.claims.iss.names', 'Array<String>'],
    ['http.request.jwt.claims.iss.values', 'Array<String>'],
    ['http.request.jwt.claims.jti', 'Map<Array<String>>'],
    ['http.request.jwt.claims.jti.names', 'Array<String>'],
    ['http.request.jwt.claims.jti.values', 'Array<String>'],
    ['http.request.jwt.claims.nbf.sec', 'Map<Array<Integer>>'],
    ['http.request.jwt.claims.nbf.sec.names', 'Array<String>'],
    ['http.request.jwt.claims.nbf.sec.values', 'Array<Integer>'],
    ['http.request.jwt.claims.sub', 'Map<Array<String>>'],
    ['http.request.jwt.claims.sub.names', 'Array<String>'],
    ['http.request.jwt.claims.sub.values', 'Array<String>'],
  ]),
]
