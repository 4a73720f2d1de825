import type { DeclarationOf } from './declaration.ts'
import { parseKeyPrefix, parseRedisUrl } from './values.ts'

export interface RedisSettings {
  /** Undefined: each machine counts alone. */
  readonly redisUrl: string | undefined
  /** A file. */
  readonly redisCa: string | undefined
  readonly redisPrefix: string
}

export const redisSettings: readonly DeclarationOf<keyof RedisSettings>[] = [
  {
    key: 'redisUrl',
    variable: 'SLUICE_REDIS_URL',
    help: 'Redis or Valkey server, through which machines count rate limits and solved challenges together',
    allowed: 'redis://user:password@host:port/database or rediss://…; only the host is required',
    default: undefined,
    parse: parseRedisUrl,
  },
  {
    key: 'redisCa',
    variable: 'SLUICE_REDIS_CA',
    help: 'CA certificate of the Redis server, PEM; turns TLS on',
    allowed: 'a path',
    default: undefined,
    needs: 'SLUICE_REDIS_URL',
    parse: value => (value === '' ? undefined : value),
  },
  {
    key: 'redisPrefix',
    variable: 'SLUICE_REDIS_PREFIX',
    help: 'prefix of all keys in Redis; installations that share a server need different prefixes',
    allowed: 'at most 64 letters, digits, -, _, . and :',
    default: 'sluice:',
    needs: 'SLUICE_REDIS_URL',
    parse: parseKeyPrefix,
  },
]
