import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { type S3Server, s3Credentials, startS3 } from '../support/s3-server.ts'
import { api } from '../support/sluice.ts'
import { axeViolations, looksWell, screenshot } from './looks.ts'
import { type DashboardTest, openDashboard, skip } from './support.ts'

const timeout = 60_000
const jobName = 'api-errors'

describe('logpush', { skip }, () => {
  let t: DashboardTest
  let s3: S3Server
  let page: Page
  let listPath: string

  before(async () => {
    const opened = await openDashboard()
    if (opened === undefined) return
    t = opened
    s3 = await startS3(['logs'])
    listPath = `/zones/${t.zoneId}/logpush`
    await t.visit('/')
    await send('before')
  })
  after(async () => {
    await s3?.close()
    await t?.close()
  })

  /** Ten requests; the filter below matches three POSTs to the API and two with status 404. */
  async function send(mark: string): Promise<void> {
    const through = (path: string, method: string) =>
      t.origin.through(t.sluice.edgePort, 'shop.test', path, { method })
    for (const n of [1, 2, 3]) await through(`/api/orders/${mark}-${n}`, 'POST')
    for (const n of [1, 2, 3]) await through(`/api/orders/${mark}-${n}`, 'GET')
    for (const n of [1, 2]) await through(`/api/missing/${mark}-${n}`, 'GET')
    await through(`/other/${mark}`, 'POST')
    await through(`/missing/${mark}`, 'GET')
  }

  const filter = {
    where: {
      and: [
        { key: 'ClientRequestPath', operator: 'startsWith', value: '/api/' },
        {
          or: [
            { key: 'ClientRequestMethod', operator: 'eq', value: 'POST' },
            { key: 'EdgeResponseStatus', operator: 'geq', value: 400 },
          ],
        },
      ],
    },
  }

  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole('button', { name, exact: typeof name === 'string' })
  const next = (step: string) => button(`Next: ${step}`).click()
  const accessible = async (name: string) => {
    await screenshot(page, `logpush-${name}`)
    assert.deepEqual(await axeViolations(page), [], name)
  }

  /** Types a part of the field's name and selects the first option. */
  async function condition(row: Locator, key: string, operator: string, value: string): Promise<void> {
    await row.getByRole('combobox', { name: /: field$/ }).fill(key)
    await page.getByRole('option', { name: key, exact: true }).click()
    await row.getByRole('combobox', { name: /: operator$/ }).click()
    await page.getByRole('option', { name: operator, exact: true }).click()
    await row
      .getByRole('textbox', { name: /: value$/ })
      .or(row.getByRole('combobox', { name: /: value$/ }))
      .fill(value)
    await page.keyboard.press('Escape')
  }

  test('a destination is filled in and tested; the failed step is named', { timeout }, async () => {
    page = await t.page({ path: listPath })
    page.setDefaultTimeout(30_000)
    await heading('No jobs yet').waitFor()
    await accessible('empty')
    await page.getByRole('link', { name: 'Create a Logpush job' }).first().click()
    await heading('Destination').waitFor()
    await accessible('destination')
    await page.getByRole('radio', { name: 'S3-compatible storage' }).click()
    await page.getByLabel('Bucket', { exact: false }).first().fill('Logs')
    await page.getByText(/^Use 3 to 63/).waitFor()
    await page.getByLabel('Bucket', { exact: false }).first().fill('logs')
    await page.getByRole('textbox', { name: 'Endpoint' }).fill(s3.url)
    await page.getByLabel('Access key ID', { exact: false }).first().fill(s3Credentials.accessKeyId)
    await secret().fill('wrong')
    await button('Send test upload').click()
    await page.getByText('Credentials rejected').waitFor()
    await accessible('refused')
    await secret().fill(s3Credentials.secretAccessKey)
    await button('Send test upload').click()
    await page.getByText('Test written').waitFor()
    // Neither the page's text nor the tab's storage has the secret.
    const shown = await page.locator('body').textContent()
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))
    assert.ok(kept.includes('sluice.draft') && !`${shown} ${kept}`.includes(s3Credentials.secretAccessKey))
  })

  const secret = () => page.getByRole('textbox', { name: /^Secret access key/ })

  test('fields are searched, with examples, and put in order', { timeout }, async () => {
    await next('Dataset')
    await accessible('dataset')
    await next('Fields')
    await page.getByText(/^Examples from the last \d+ records/).waitFor()
    await page.getByPlaceholder('Search names and descriptions').fill('request path')
    await page.getByRole('checkbox', { name: /^ClientRequestPath/ }).check()
    await page.getByText('/other/before').first().waitFor()
    await page.getByPlaceholder('Search names and descriptions').fill('')
    const chosen = page.getByRole('region', { name: 'Selected fields, in order' }).getByRole('listitem')
    await eventually(async () => assert.match((await chosen.last().textContent())!, /^ClientRequestPath/))
    await button('Move ClientRequestPath up').click()
    await eventually(async () => assert.match((await chosen.nth(-2).textContent())!, /^ClientRequestPath/))
    await accessible('fields')
  })

  test('a nested filter shows its meaning, its size and its matches', { timeout }, async () => {
    await next('Filter')
    await page.getByText(/this filter matches \d+/).waitFor()
    await button('Condition').click()
    await page.getByText('Select a field', { exact: true }).first().waitFor()
    const rows = page.getByRole('group', { name: /^Condition/ })
    await condition(rows.first(), 'ClientRequestPath', 'starts with', '/api/')
    await button('Group').click()
    await condition(rows.nth(1), 'ClientRequestMethod', 'is', 'POST')
    const nested = page.getByRole('group', { name: 'Group 2 of outermost group' })
    await button('Condition', nested).click()
    // Operators depend on the type of the field.
    await rows
      .nth(2)
      .getByRole('combobox', { name: /: field$/ })
      .fill('EdgeResponseStatus')
    await page.getByRole('option', { name: 'EdgeResponseStatus', exact: true }).click()
    await rows
      .nth(2)
      .getByRole('combobox', { name: /: operator$/ })
      .click()
    await page.getByRole('option', { name: 'is at least' }).first().waitFor()
    const offered = await page.getByRole('option').allTextContents()
    assert.ok(!offered.includes('starts with'), offered.join(', '))
    await page.keyboard.press('Escape')
    await condition(rows.nth(2), 'EdgeResponseStatus', 'is at least', 'many')
    await page.getByText('EdgeResponseStatus is a number', { exact: false }).first().waitFor()
    await condition(rows.nth(2), 'EdgeResponseStatus', 'is at least', '400')
    await page
      .getByText(
        'Client request path starts with /api/, and (client request method is POST, or edge response status is at least 400).',
      )
      .waitFor()
    await page.getByText(/^Of the last \d+ records this filter matches 5\.$/).waitFor()
    await page.getByText(`5 of 30`).waitFor()
    const bytes = Buffer.byteLength(JSON.stringify(filter))
    await page.getByText(`${bytes} of 1,000`).waitFor()
    await accessible('filter')
    await page.setViewportSize({ width: 360, height: 740 })
    await eventually(async () => {
      for (const input of await rows.getByRole('combobox').all())
        assert.ok((await input.boundingBox())!.width > 160, 'a condition is readable in a narrow window')
    })
    await accessible('filter-nested-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
    await button('Edit as text').click()
    await eventually(async () =>
      assert.deepEqual(
        JSON.parse(await page.getByLabel('Filter', { exact: true }).last().inputValue()),
        filter,
      ),
    )
    await button('Edit as conditions').click()
    await eventually(async () => assert.equal(await rows.count(), 3))
  })

  test('a draft survives going back and a reload, without its secrets', { timeout }, async () => {
    await next('Format')
    await button('Prefixes, delimiters and template').click()
    const delimiter = page.getByRole('textbox', { name: 'Between records' })
    await delimiter.pressSequentially('\\n,\\t')
    await eventually(async () => {
      assert.equal(await delimiter.inputValue(), '\\n,\\t')
      const kept = await page.evaluate(() => Object.values(sessionStorage).join(''))
      assert.ok(kept.includes('"record_delimiter":"\\n,\\t"'), kept)
    })
    await delimiter.fill('')
    await accessible('format')
    await page.goBack()
    await heading('Filter').waitFor()
    await page.reload()
    await page.getByText(/this filter matches 5\.$/).waitFor()
    await page.goto(`${new URL(page.url()).origin}${listPath}/new?step=review`)
    await page.getByText('Access key ID: Required').waitFor()
    await page.getByRole('link', { name: 'Go to Destination' }).click()
    await eventually(async () =>
      assert.equal(await page.getByLabel('Bucket', { exact: false }).first().inputValue(), 'logs'),
    )
    await eventually(async () => assert.equal(await secret().inputValue(), ''))
    await page.getByLabel('Access key ID', { exact: false }).first().fill(s3Credentials.accessKeyId)
    await secret().fill(s3Credentials.secretAccessKey)
  })

  test('the review shows the call without secrets, and creates the job', { timeout }, async () => {
    await button(/^Review/).click()
    await page.getByLabel('Job name').fill('with blanks')
    await page.getByText('Use letters, digits').waitFor()
    await page.getByRole('radio', { name: 'past records' }).check()
    const from = page.getByLabel('From', { exact: true })
    await eventually(async () => assert.notEqual(await from.inputValue(), ''))
    await from.fill('')
    await page.getByText('Enter a time').waitFor()
    await eventually(async () => assert.ok(await button('Create job').isDisabled()))
    await page.getByRole('radio', { name: 'new records' }).check()
    await page.getByLabel('Job name').fill(jobName)
    await button(/^. API call$/).click()
    const call = page.getByRole('region', { name: 'API call' })
    await eventually(async () => assert.match((await call.textContent())!, /secret-access-key=\*\*\*/))
    await page.getByRole('switch', { name: 'Show secrets in the call' }).click()
    await eventually(async () =>
      assert.match((await call.textContent())!, new RegExp(s3Credentials.secretAccessKey)),
    )
    await page.getByRole('switch', { name: 'Show secrets in the call' }).click()
    await accessible('review')
    await button('Create job').click()
    await heading(jobName).waitFor()
    const [job] = (await api(t.sluice, 'GET', `/zones/${t.zoneId}/logpush/jobs`)).result
    assert.deepEqual(JSON.parse(job.filter), filter)
    assert.equal(job.output_options.timestamp_format, 'rfc3339')
    assert.equal(job.output_options.field_names.at(-2), 'ClientRequestPath')
    // Saving removes the draft.
    const kept = await page.evaluate(() => Object.keys(sessionStorage))
    assert.deepEqual(
      kept.filter(key => key.startsWith('sluice.draft')),
      [],
    )
  })

  test('matching records are on the S3 server, and the health counts them', {
    timeout: 120_000,
  }, async () => {
    await send('after')
    const lines = await untilLines(5)
    assert.deepEqual(lines.map(line => line['ClientRequestPath']).sort(), [
      '/api/missing/after-1',
      '/api/missing/after-2',
      '/api/orders/after-1',
      '/api/orders/after-2',
      '/api/orders/after-3',
    ])
    // Counts appear a moment after their delivery.
    const jobs = `/zones/${t.zoneId}/logpush/jobs`
    const [{ id }] = (await api(t.sluice, 'GET', jobs)).result
    for (let tries = 0; tries < 100; tries++) {
      const health = (await api(t.sluice, 'GET', `${jobs}/${id}/health`)).result
      if (health.totals.successful.lines >= 5) break
      await new Promise(resolve => setTimeout(resolve, 100))
    }
    await page.reload()
    await page.getByRole('img', { name: /^Lines delivered: 5 lines/ }).waitFor()
    await page.getByRole('img', { name: /^Maximum lag: \d+ s$/ }).waitFor()
    await page.getByRole('cell', { name: 'Successful' }).waitFor()
    await accessible('job')
    await page.getByText('30 days', { exact: true }).click()
    await page.getByText('Lines, 30 days').waitFor()
    assert.match(page.url(), /range=30d/)
    await page.goto(`${new URL(page.url()).origin}${listPath}`)
    await page.getByRole('row', { name: new RegExp(`${jobName}.*Delivering`) }).waitFor()
    await accessible('list')
  })

  async function untilLines(count: number): Promise<Record<string, unknown>[]> {
    for (let tries = 0; ; tries++) {
      const lines = await s3.lines('logs')
      // A batch is uploaded at most 30 seconds after its first line.
      if (lines.length >= count || tries === 450) return lines
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }

  const act = async (action: string) => {
    await button(`Actions of ${jobName}`).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }

  test('a replay delivers retained records again', { timeout: 120_000 }, async () => {
    await page.getByRole('link', { name: jobName }).click()
    await heading(jobName).waitFor()
    await act('Replay…')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Records are retained since/).waitFor()
    await button('Start there', dialog).click()
    await accessible('replay')
    await button('Replay', dialog).click()
    await page.getByRole('row', { name: /Completed/ }).waitFor({ timeout: 60_000 })
    // Five lines from before the job and five from after; the latter are there twice.
    const lines = await untilLines(15)
    assert.equal(lines.length, 15)
    assert.equal(lines.filter(line => line['ClientRequestPath'] === '/api/orders/before-2').length, 1)
    assert.equal(lines.filter(line => line['ClientRequestPath'] === '/api/orders/after-2').length, 2)
  })

  test('a failure is explained in plain words', { timeout: 120_000 }, async () => {
    s3.refuses = () => ({ status: 403, code: 'AccessDenied' })
    await send('refused')
    await page
      .getByText('Delivery stopped; its position is kept', { exact: false })
      .waitFor({ timeout: 45_000 })
    await accessible('stopped')
    s3.refuses = () => undefined
    await act('Retry now')
    await page
      .getByRole('heading', { level: 1 })
      .locator('..')
      .getByText('Delivering')
      .waitFor({ timeout: 45_000 })
  })

  test('a job is edited, paused, resumed at its position, and deleted', { timeout: 60_000 }, async () => {
    await page.getByRole('link', { name: 'Edit' }).click()
    await heading('Destination').waitFor()
    await button(/^Review/).click()
    await page.getByText('No changes.').waitFor()
    await button(/^Filter/).click()
    await button('Remove condition 1 of outermost group').click()
    await button(/^Review/).click()
    await button(/^. API call$/).click()
    const call = (await page.getByRole('region', { name: 'API call' }).textContent())!
    assert.match(call, /-X PUT/)
    assert.ok(call.includes('"filter"') && !call.includes('destination_conf'), call)
    await button('Save changes').click()
    await heading(jobName).waitFor()
    const stored = async () => (await api(t.sluice, 'GET', `/zones/${t.zoneId}/logpush/jobs`)).result[0]
    await eventually(async () =>
      assert.deepEqual(JSON.parse((await stored()).filter).where, filter.where.and[1]),
    )

    await act('Pause')
    await button('Pause', page.getByRole('dialog')).click()
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Paused').waitFor()
    await eventually(async () => assert.equal((await stored()).enabled, false))
    await page.getByText('not measured while paused').waitFor()
    // The focus returns to the button of the menu.
    await button(`Actions of ${jobName}`).and(page.locator(':focus')).waitFor()
    await act('Resume')
    await page.getByRole('radio', { name: /^the last position/ }).click()
    await button('Resume', page.getByRole('dialog')).click()
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Delivering').waitFor()
    await eventually(async () => assert.equal((await stored()).enabled, true))

    await act('Delete…')
    await button('Delete job', page.getByRole('dialog')).click()
    await heading('No jobs yet').waitFor()
    await eventually(async () => assert.equal(await stored(), undefined))
  })

  test('a job is created with the keyboard alone', { timeout }, async () => {
    await page.goto(`${new URL(page.url()).origin}${listPath}/new`)
    await heading('Destination').waitFor()
    const tabTo = async (label: string) => {
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab')
        if ((await focused()).includes(label)) return
      }
      assert.fail(`Tab does not reach ${label}`)
    }
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null
        const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent
        const own = element?.matches('button, a, h2') ? element.textContent : ''
        return `${element?.getAttribute('aria-label') ?? ''} ${label ?? ''} ${own}`
      })
    await tabTo('Amazon S3')
    for (let presses = 0; presses < 20 && !(await focused()).includes('A directory on'); presses++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await tabTo('Directory')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(`${t.sluice.data}/by-hand`)
    for (const step of ['Dataset', 'Fields', 'Filter', 'Format', 'Review']) {
      await tabTo(`Skip to Next: ${step}`)
      await page.keyboard.press('Enter')
      await eventually(async () => assert.match(await focused(), new RegExp(`Next: ${step}`)))
      await page.keyboard.press('Enter')
      await heading(step).waitFor()
      // The heading has the focus, so that Tab continues from there.
      await eventually(async () => assert.match(await focused(), new RegExp(step)))
    }
    await tabTo('Create job')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^Job \d+$/ }).waitFor()
  })

  test('a read-only token sees jobs without secrets, and the missing permission', {
    timeout,
  }, async () => {
    const groups = (await api(t.sluice, 'GET', '/user/tokens/permission_groups')).result
    const ids = ['Zone Read', 'Logs Read'].map(wanted => {
      const isIt = ({ name, scopes }: { readonly name: string; readonly scopes: readonly string[] }) =>
        name === wanted && scopes.includes('com.cloudflare.api.account.zone')
      return { id: groups.find(isIt).id }
    })
    const made = await api(t.sluice, 'POST', '/user/tokens', {
      name: 'reader',
      policies: [
        {
          effect: 'allow',
          permission_groups: ids,
          resources: { [`com.cloudflare.api.account.zone.${t.zoneId}`]: '*' },
        },
      ],
    })
    const reader = await t.page({ path: listPath, token: made.result.value })
    reader.setDefaultTimeout(30_000)
    await reader.getByRole('row', { name: /Job \d+/ }).waitFor()
    const add = reader.getByRole('link', { name: 'Create a Logpush job' })
    await add.and(reader.locator('[aria-disabled]')).waitFor()
    await reader.getByRole('button', { name: /^Actions of/ }).click()
    await eventually(async () =>
      assert.ok(await reader.getByRole('menuitem', { name: 'Delete…' }).isDisabled()),
    )
    await reader.getByText('Your token lacks', { exact: false }).first().waitFor()
    assert.deepEqual(await axeViolations(reader), [])
  })

  test('account jobs take their examples from a selected zone', { timeout }, async () => {
    page = await t.page({ path: '/logpush/new?step=filter' })
    await page.getByText('Select a zone to see examples.').waitFor()
    await page.getByRole('combobox', { name: 'Zone for examples' }).click()
    await page.getByRole('option', { name: 'shop.test' }).click()
    await page.getByText(/^Of the last \d+ records this filter matches/).waitFor()
    await button(/^Dataset/).click()
    await page.getByRole('radio', { name: 'Audit logs' }).click()
    await button(/^Fields/).click()
    await page.getByText('Audit logs have no examples.').waitFor()
    await accessible('audit-fields')
  })

  test('every screen fits in light, dark and narrow windows', { timeout: 120_000 }, async () => {
    const { id } = (await api(t.sluice, 'GET', `/zones/${t.zoneId}/logpush/jobs`)).result[0]
    for (const [screen, path, wanted] of [
      ['list', '', 'Logpush'],
      ['job', `/${id}`, 'Health'],
      ['new', '/new', 'Destination'],
      ['fields', `/${id}/edit?step=fields`, 'Fields'],
      ['filter', `/${id}/edit?step=filter`, 'Filter'],
      ['review', `/${id}/edit?step=review`, 'Review'],
    ] as const) {
      const shown = await t.page({ path: `${listPath}${path}` })
      await shown.getByRole('heading', { name: wanted, exact: true }).waitFor()
      await looksWell(shown, `logpush-${screen}`)
    }
    assert.deepEqual(t.faults, [])
  })
})
