import { Type } from 'typebox'
import { closed, dates, type KeptCollection, maybe, oneOf, text, whole } from './kind.ts'

const why = 'the origins of pools are checked, by the monitors of load balancers'
const port = Type.Optional(whole(1, 65_535))
const headers = Type.Record(text(), Type.Array(text(), { maxItems: 20 }), { maxProperties: 20 })

/** @source Cloudflare API, health checks */
export const healthchecks: KeptCollection = {
  kind: 'healthcheck',
  terraform: 'cloudflare_healthcheck',
  noun: 'a standalone health check',
  scope: 'zone',
  path: '/healthchecks',
  body: Type.Object(
    {
      address: text({ minLength: 1 }),
      name: text({ pattern: '^[A-Za-z0-9_-]+$' }),
      check_regions: maybe(Type.Array(text(), { maxItems: 20 })),
      consecutive_fails: Type.Optional(whole(1, 1000)),
      consecutive_successes: Type.Optional(whole(1, 1000)),
      description: Type.Optional(text()),
      http_config: maybe(
        Type.Object(
          {
            allow_insecure: Type.Optional(Type.Boolean()),
            expected_body: Type.Optional(text()),
            expected_codes: maybe(Type.Array(text(), { maxItems: 50 })),
            follow_redirects: Type.Optional(Type.Boolean()),
            header: maybe(headers),
            method: Type.Optional(oneOf('GET', 'HEAD')),
            path: Type.Optional(text()),
            port,
          },
          closed,
        ),
      ),
      interval: Type.Optional(whole(5, 3600)),
      retries: Type.Optional(whole(0, 10)),
      suspended: Type.Optional(Type.Boolean()),
      tcp_config: maybe(
        Type.Object({ method: Type.Optional(oneOf('connection_established')), port }, closed),
      ),
      timeout: Type.Optional(whole(1, 60)),
      type: Type.Optional(oneOf('HTTP', 'HTTPS', 'TCP')),
    },
    closed,
  ),
  defaults: {
    consecutive_fails: 1,
    consecutive_successes: 1,
    interval: 60,
    retries: 2,
    suspended: false,
    timeout: 5,
    type: 'HTTP',
  },
  computed: resource => ({
    ...dates(resource),
    failure_reason: '',
    status: resource.document['suspended'] === true ? 'suspended' : 'unknown',
  }),
  hidden: ['http_config'],
  paged: true,
  withoutMeaning: () => [{ pointer: '', what: 'a standalone health check', why }],
  why,
}
