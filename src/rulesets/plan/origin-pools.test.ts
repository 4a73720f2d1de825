import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsRecord } from '../../model/dns-record.ts'
import type { LoadBalancer, Pool, PoolOrigin } from '../../model/load-balancing.ts'
import type { Zone } from '../../model/resource.ts'
import { defaultZoneSettings } from '../../model/zone-settings.ts'
import { zoneOrigins } from './host-origins.ts'

const zone = { name: 'shop.test', originUrl: 'https://127.0.0.1:9000' } as Zone
const own = { servers: [{ url: zone.originUrl, weight: 1 }] }
const record = { name: 'www.shop.test', type: 'A', content: '192.0.2.99', proxied: true } as DnsRecord

function origin(address: string, change: Partial<PoolOrigin> = {}): PoolOrigin {
  return { name: address, address, enabled: true, weight: 1, port: 0, unused: {}, ...change }
}

function pool(id: string, origins: readonly PoolOrigin[], change: Partial<Pool> = {}): Pool {
  return { id, enabled: true, minimumOrigins: 1, steering: 'random', origins, ...change } as Pool
}

function balancer(change: Partial<LoadBalancer> = {}): LoadBalancer {
  return {
    name: 'www.shop.test',
    enabled: true,
    proxied: true,
    defaultPools: ['a', 'b'],
    fallbackPool: 'b',
    steeringPolicy: 'off',
    poolWeights: { byDefault: 1 },
    failsOverAcrossPools: false,
    ...change,
  } as LoadBalancer
}

const a = pool('a', [origin('192.0.2.1', { port: 8443, hostHeader: 'a.test' }), origin('2001:db8::1')], {
  minimumOrigins: 2,
  monitor: 'm',
})
const b = pool('b', [origin('lb.test', { weight: 0.5 })])

function found(change: Partial<LoadBalancer>, pools: readonly Pool[] = [a, b], host = 'www.shop.test') {
  return zoneOrigins({ zone, dnsRecords: [record], loadBalancers: [balancer(change)], pools }).of(host)
}

test('a load balancer decides about its name, before records, at the scheme of the zone’s origin', () => {
  const ofB = { id: 'b', servers: [{ url: 'https://lb.test', weight: 0.5 }], healthyMin: 1 }
  const want = {
    pools: [
      {
        id: 'a',
        servers: [
          {
            url: 'https://192.0.2.1:8443',
            weight: 1,
            hostHeader: 'a.test',
            healthKey: 'a 192.0.2.1 8443',
          },
          { url: 'https://[2001:db8::1]', weight: 1, healthKey: 'a 2001:db8::1 0' },
        ],
        healthyMin: 2,
        weight: 1,
      },
      { ...ofB, weight: 1 },
    ],
    fallback: ofB,
    shared: false,
    failsOver: false,
  }
  assert.deepEqual(found({}), want)
  assert.deepEqual(found({ name: '*.shop.test' }, [a, b], 'x.shop.test'), want)
  assert.deepEqual(found({}, [a, b], 'shop.test'), own)
  for (const change of [{ enabled: false }, { proxied: false }, { name: '*.shop.test' }])
    assert.deepEqual(found(change), { servers: [{ url: 'https://192.0.2.99:9000', weight: 1 }] })
})

test('pools without a usable origin are left out, and without any the name has the zone’s origin', () => {
  const off = { ...a, enabled: false }
  const weightless = pool('a', [origin('192.0.2.1', { weight: 0 }), origin('192.0.2.2', { enabled: false })])
  for (const unusable of [off, weightless]) {
    const origins = found({}, [unusable, b])
    assert.ok('pools' in origins)
    assert.deepEqual(origins.pools, [{ ...origins.fallback, weight: 1 }])
    assert.deepEqual(found({ defaultPools: ['a'], fallbackPool: 'a' }, [unusable, b]), own)
  }
  const last = found({ fallbackPool: 'gone' })
  assert.ok('pools' in last)
  assert.equal(last.fallback, last.pools[1])
})

test('origins take turns, or get requests by client or load', () => {
  for (const [steering, want] of [
    ['random', undefined],
    ['hash', 'client'],
    ['least_outstanding_requests', 'least-busy'],
    ['least_connections', 'least-busy'],
  ] as const) {
    const origins = found({}, [{ ...a, steering }, b])
    assert.ok('pools' in origins)
    assert.equal(origins.pools[0]!.steering, want, steering)
  }
})

test('the cookies of sessions suit the schemes of the zone', () => {
  for (const [alwaysUseHttps, sessionAttributes, want] of [
    [false, {}, 'Lax'],
    [true, {}, 'None Secure'],
    [true, { secure: 'Never' }, 'Lax'],
    [false, { sameSite: 'None' }, 'None Secure'],
    [true, { sameSite: 'Strict', secure: 'Always' }, 'Strict Secure'],
  ] as const) {
    const settings = { ...defaultZoneSettings, alwaysUseHttps }
    const loadBalancers = [balancer({ sessionAffinity: 'cookie', sessionAttributes })]
    const origins = zoneOrigins({ zone, settings, loadBalancers, pools: [a, b] }).of('www.shop.test')
    assert.ok('pools' in origins)
    const { sameSite, secure } = origins.sessions!
    assert.equal(`${sameSite}${secure ? ' Secure' : ''}`, want)
  }
})

test('pools share requests by their weights', () => {
  const weights = (poolWeights: LoadBalancer['poolWeights']) => {
    const origins = found({ steeringPolicy: 'random', poolWeights })
    assert.ok('pools' in origins)
    return [origins.shared, ...origins.pools.map(({ weight }) => weight)]
  }
  assert.deepEqual(weights({ byDefault: 1 }), [true, 1, 1])
  assert.deepEqual(weights({ byDefault: 0.5, byPool: { a: 0.25 } }), [true, 0.25, 0.5])
  assert.deepEqual(weights({ byDefault: 0, byPool: { b: 1 } }), [true, 1])
  assert.deepEqual(weights({ byDefault: 0 }), [false, 0, 0])
})
