import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../../kit/ids.ts'
import type { Ruleset, Shadow } from '../../../model/resource.ts'
import { noFirewall } from '../../../model/zone-firewall.ts'
import { aCustomPage, aDnsRecord, everythingRedacted, type StoreUnderTest, zoneIn } from '../data.ts'

export function planSuite({ store }: StoreUnderTest): void {
  test('one read returns the documents of several zones, oldest first', async () => {
    const [first, second, bare] = [await zoneIn(store()), await zoneIn(store()), await zoneIn(store())]
    const ruleset = (zoneId: string, phase: Ruleset['phase']): Ruleset => ({
      id: newId(),
      scope: { kind: 'zone', id: zoneId },
      name: 'default',
      description: '',
      kind: 'zone',
      phase,
      version: 1,
      lastUpdated: '2026-01-02T03:04:05.000006Z',
      rules: [],
    })
    const ofFirst = [
      ruleset(first.id, 'http_request_firewall_managed'),
      ruleset(first.id, 'http_request_firewall_custom'),
    ]
    const ofSecond = [ruleset(second.id, 'http_ratelimit')]
    for (const one of [ofFirst[0]!, ofSecond[0]!, ofFirst[1]!]) await store().rulesets.insert(one)
    const shadow: Shadow = {
      zoneId: second.id,
      enabled: true,
      version: 'latest',
      paranoiaLevel: 2,
      scoreThreshold: 40,
      sampleRate: 1,
      modifiedOn: '2026-01-02T03:04:05.000006Z',
    }
    await store().shadows.put(shadow)
    const redaction = { ...everythingRedacted, cookies: false }
    await store().redaction.put(bare.id, redaction)
    await store().sampling.put(first.id, 0.25)
    const setting = { id: 'ip_geolocation', value: 'off', modifiedOn: '2026-01-02T03:04:05.000006Z' }
    await store().zoneSettings.put(second.id, [setting])
    const record = aDnsRecord(second.id)
    await store().dnsRecords.change(second.id, {
      deleted: [],
      stored: [record, aDnsRecord(second.id, { type: 'TXT' })],
    })
    const customPage = aCustomPage()
    await store().customPages.put({ kind: 'zone', id: second.id }, customPage)
    const ids = [first.id, second.id, bare.id]
    assert.deepEqual(
      [...(await store().plans.documents(ids))],
      [
        [
          first.id,
          {
            rulesets: ofFirst,
            shadow: undefined,
            redaction: undefined,
            sampleRate: 0.25,
            settings: [],
            dnsRecords: [],
            customAssets: [],
            customPages: [],
            firewall: noFirewall,
            originCertificates: [],
            loadBalancers: [],
            pools: [],
          },
        ],
        [
          second.id,
          {
            rulesets: ofSecond,
            shadow,
            redaction: undefined,
            sampleRate: undefined,
            settings: [setting],
            dnsRecords: [record],
            customAssets: [],
            customPages: [customPage],
            firewall: noFirewall,
            originCertificates: [],
            loadBalancers: [],
            pools: [],
          },
        ],
        [
          bare.id,
          {
            rulesets: [],
            shadow: undefined,
            redaction,
            sampleRate: undefined,
            settings: [],
            dnsRecords: [],
            customAssets: [],
            customPages: [],
            firewall: noFirewall,
            originCertificates: [],
            loadBalancers: [],
            pools: [],
          },
        ],
      ],
    )
    assert.equal((await store().plans.documents([])).size, 0)
  })
}
