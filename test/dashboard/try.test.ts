import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import { looksWell } from './looks.ts'
import { answersWith } from './rules-support.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const attack = '/products?id=1%27%20UNION%20SELECT%20name,password%20FROM%20users--'
const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f'

test('a request is traced from a command, a text and a form', { skip, timeout: 240_000 }, async t => {
  const board = await openDashboard()
  if (board === undefined) {
    t.skip('no Chromium starts here')
    return
  }
  t.after(() => board.close())
  await deploy(board)
  const before = await requestsServed(board)

  await t.test('a pasted command is blocked, with each rule and its score', async () => {
    const page = await board.page({ path: '/try' })
    await page
      .getByRole('textbox', { name: 'curl command' })
      .fill(`$ curl -s 'http://shop.test${attack}' | head`)
    await page.getByText('GET /products').waitFor()
    await page.getByText('Ignored everything from').waitFor()
    await page.getByRole('button', { name: 'Trace' }).click()
    await page.getByRole('heading', { name: 'Blocked with status 403' }).waitFor()
    await page.getByText(/The score \d+ reaches the threshold 15/).waitFor()
    const custom = page.getByRole('button', { name: /Custom rules/ })
    await eventually(async () => assert.equal(await custom.getAttribute('aria-expanded'), 'true'))
    await page.getByText('Watch products').waitFor()
    const matches = page.getByRole('list', { name: 'Matched rules' })
    await matches.getByText('942100', { exact: true }).waitFor()
    await matches.getByText('ARGS:id').first().waitFor()
    const running = await matches.getByText(/^\d+ of 15$/).allTextContents()
    const totals = running.map(text => Number.parseInt(text, 10))
    assert.ok(totals.length > 1)
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => a - b),
    )
    await page.getByRole('button', { name: /Match details.*942190/ }).click()
    await matches.getByText('removeCommentsChar').waitFor()
    await page.getByRole('tab', { name: 'Log records' }).click()
    const record = await page.getByRole('region', { name: 'http_requests record' }).textContent()
    assert.match(record ?? '', /"SecurityAction": "block"/)
    const events = await page.getByRole('region', { name: 'firewall_events records' }).textContent()
    assert.match(events ?? '', /"total": /)
  })

  await t.test('the address holds the request, without credentials', async () => {
    const page = await board.page({ path: '/try' })
    const command = `curl 'http://shop.test/?a=1' -H 'X-Kind: test' -H 'Authorization: Bearer secret'`
    await page.getByRole('textbox', { name: 'curl command' }).fill(command)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Trace' }).click()
    await page.getByRole('heading', { name: 'Reaches the origin' }).waitFor()
    await page.getByText('does not include Authorization').waitFor()
    const address = new URL(page.url())
    assert.equal(address.searchParams.get('url'), 'http://shop.test/?a=1')
    assert.match(address.searchParams.get('headers') ?? '', /X-Kind: test/)
    assert.ok(!address.href.includes('secret'))
    const other = await board.page({ path: `${address.pathname}${address.search}` })
    await other.getByRole('heading', { name: 'Reaches the origin' }).waitFor()
    await eventually(async () =>
      assert.equal(await other.getByRole('textbox', { name: 'URL' }).inputValue(), 'http://shop.test/?a=1'),
    )
  })

  await t.test('raw HTTP and the form show the same request', async () => {
    const page = await board.page({ path: '/try' })
    await choose(page, 'Raw HTTP')
    const raw = page.getByRole('textbox', { name: 'Raw HTTP' })
    await raw.fill('POST /login HTTP/1.1\nnonsense')
    await page.getByText('Line 2 is not a header').waitFor()
    await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Trace' }).isDisabled()))
    await raw.fill('POST /login HTTP/1.1\nHost: shop.test\nContent-Type: text/plain\n\nhello')
    await choose(page, 'Form')
    await eventually(async () =>
      assert.equal(await page.getByRole('combobox', { name: 'Method' }).inputValue(), 'POST'),
    )
    await eventually(async () =>
      assert.equal(
        await page.getByRole('textbox', { name: 'Headers' }).inputValue(),
        'Content-Type: text/plain',
      ),
    )
    await eventually(async () =>
      assert.equal(await page.getByRole('textbox', { name: 'Body' }).inputValue(), 'hello'),
    )
    await page.getByRole('textbox', { name: 'Country' }).fill('de')
    await page.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: text/plain\nX-Two')
    await page.getByText('Line 2 is not a header').waitFor()
    await page.getByRole('textbox', { name: 'Headers' }).fill('Content-Type: text/plain\nX-Two: 2')
    await choose(page, 'curl command')
    await eventually(async () => {
      const command = await page.getByRole('textbox', { name: 'curl command' }).inputValue()
      assert.match(command, /-H 'X-Two: 2'/)
      assert.match(command, /--data-raw hello/)
    })
    await page.getByRole('button', { name: 'Trace' }).click()
    await page.getByRole('heading', { name: 'Managed Challenge with status 403' }).waitFor()
    await page.getByText('By the rule “Visitors from Germany” (custom rules).').waitFor()
    await page.getByRole('checkbox', { name: 'The client has passed a challenge' }).check()
    await page.getByRole('button', { name: 'Trace' }).click()
    await page.getByRole('heading', { name: 'Reaches the origin' }).waitFor()
  })

  await t.test('an example is traced with the keyboard alone', async () => {
    const page = await board.page({ path: '/try' })
    await page.getByRole('button', { name: 'Examples', disabled: false }).press('Enter')
    const example = page.getByRole('menuitem', { name: 'Path traversal' })
    await example.waitFor()
    // The menu takes the focus a moment after it opens.
    await eventually(async () => {
      await page.keyboard.press('ArrowDown')
      await example.and(page.locator(':focus')).waitFor({ timeout: 500 })
    })
    await page.keyboard.press('Enter')
    const field = page.getByRole('textbox', { name: 'curl command' })
    await eventually(async () => assert.match(await field.inputValue(), /^curl 'http[^']+passwd'/))
    await page.getByRole('button', { name: 'Trace' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  })

  await t.test('an API error is shown', async () => {
    const page = await board.page({ path: '/try' })
    await page.getByRole('textbox', { name: 'curl command' }).fill('curl http://absent.example/')
    await page.getByRole('button', { name: 'Trace' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(/No zone of this account serves absent.example/).waitFor()
  })

  await t.test('a token without permission sees the missing one', async () => {
    const made = await api(board.sluice, 'POST', '/user/tokens', {
      name: 'reader',
      policies: [
        {
          effect: 'allow',
          permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
          resources: {
            [`com.cloudflare.api.account.${board.accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' },
          },
        },
      ],
    })
    const page = await board.page({ path: '/try', token: made.result.value })
    await page.getByText('“Allow Request Tracer Read”').waitFor()
    await page.getByRole('textbox', { name: 'curl command' }).fill('curl http://shop.test/')
    await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Trace' }).isDisabled()))
  })

  await t.test('traces are not counted as requests', async () => {
    assert.equal(await requestsServed(board), before)
  })

  await t.test('the page is accessible and fits in every look', async () => {
    const empty = await board.page({ path: '/try' })
    await empty.getByRole('textbox', { name: 'curl command' }).waitFor()
    await looksWell(empty, 'try-empty')
    const query = new URLSearchParams({
      url: `http://shop.test${attack}`,
      headers: 'User-Agent: sqlmap/1.8',
    })
    const page = await board.page({ path: `/try?${query}` })
    await page.getByRole('heading', { name: 'Blocked with status 403' }).waitFor()
    await looksWell(page, 'try-form')
    await page.getByRole('button', { name: /Match details.*942190/ }).click()
    await looksWell(page, 'try-result')
    await page.getByRole('tab', { name: 'Log records' }).click()
    await page.getByRole('region', { name: 'http_requests record' }).waitFor()
    await looksWell(page, 'try-records')
  })

  assert.deepEqual(board.faults, [])
})

/** Two custom rules, and the OWASP ruleset at PL1 with threshold 15. */
async function deploy(board: DashboardTest): Promise<void> {
  const { sluice, zoneId } = board
  const entry = (phase: string) => `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`
  const { result: owasp } = await api(sluice, 'GET', `/zones/${zoneId}/rulesets/${owaspId}`)
  const rules = [
    {
      action: 'log',
      expression: 'starts_with(http.request.uri.path, "/products")',
      description: 'Watch products',
    },
    {
      action: 'managed_challenge',
      expression: 'ip.src.country eq "DE"',
      description: 'Visitors from Germany',
    },
  ]
  await api(sluice, 'PUT', entry('http_request_firewall_custom'), { rules })
  const overrides = {
    categories: [2, 3, 4].map(level => ({ category: `paranoia-level-${level}`, enabled: false })),
    rules: [{ id: owasp.rules.at(-1).id, score_threshold: 15, action: 'block' }],
  }
  const execute = { action: 'execute', expression: 'true', action_parameters: { id: owaspId, overrides } }
  await api(sluice, 'PUT', entry('http_request_firewall_managed'), { rules: [execute] })
  await answersWith(board, attack, 403)
}

async function requestsServed({ sluice }: DashboardTest): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${sluice.token}` }
  const metrics = await (await fetch(new URL('/metrics', sluice.apiUrl), { headers })).text()
  return metrics.split('\n').find(line => line.startsWith('sluice_edge_requests_total'))
}

async function choose(page: Page, way: string): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Request format' }).getByText(way, { exact: true }).click()
}
