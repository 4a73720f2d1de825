import assert from 'node:assert/strict'
import { api } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { flows } from './support.ts'

const flow = flows()

flow('the stored items of a zone are listed with their status, and can be filtered by keyboard', async it => {
  const { sluice, zoneId } = it
  await api(sluice, 'PATCH', `/zones/${zoneId}/settings/min_tls_version`, { value: '1.0' })
  await api(sluice, 'PUT', `/zones/${zoneId}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [{ action: 'block', expression: 'http.host eq "a"' }],
  })
  const page = await it.page({ path: `/zones/${zoneId}/coverage` })
  const items = page.getByRole('list', { name: 'Stored items' }).getByRole('listitem')
  await items.first().waitFor()
  const texts = await items.allTextContents()
  assert.match(texts[0]!, /^Partly enforcedmin_tls_versioncloudflare_zone_setting.*TLS older than 1\.2/)
  assert.ok(
    texts.some(text => /^Enforcedhttp_request_firewall_custom/.test(text)),
    texts.join('\n'),
  )
  await looksWell(page, 'coverage')
  await page.getByRole('combobox', { name: 'Status' }).focus()
  await page.keyboard.press('p')
  await page.waitForURL(url => url.searchParams.get('status') === 'partly')
  await items.nth(1).waitFor({ state: 'detached' })
  assert.deepEqual(await items.allTextContents(), texts.slice(0, 1))
})
