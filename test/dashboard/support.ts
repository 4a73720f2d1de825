import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { borrowBrowser, returnBrowser } from '../support/browser.ts'
import { type Origin, startOrigin } from '../support/origin.ts'
import { api, discard, type Instance, startSluice, testCrs } from '../support/sluice.ts'

/** Why the dashboard suites are skipped; false when they run. */
export const skip = existsSync(testCrs) ? false : 'needs an OWASP CRS release, and none could be had'

export interface PageOptions {
  /** Path below the dashboard's address; the overview by default. */
  readonly path?: string
  readonly width?: number
  readonly height?: number
  readonly scheme?: 'light' | 'dark'
  /** Replaces the administrator's token; false opens the page without a session. */
  readonly token?: string | false
}

/** A running Sluice with a zone in front of an origin, and a browser for its dashboard. */
export interface DashboardTest {
  readonly sluice: Instance
  readonly browser: Browser
  readonly origin: Origin
  readonly accountId: string
  /** `shop.test`; the zone `localhost` with the sample site is there too. */
  readonly zoneId: string
  /** Opens the dashboard with a session, in its own browser context. */
  page(options?: PageOptions): Promise<Page>
  /** Errors in the consoles of pages, including violations of their security policy. */
  readonly faults: string[]
  /** Sends a request to `shop.test` through the edge. */
  visit(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  close(): Promise<void>
}

export const zoneName = 'shop.test'

/**
 * Starts the dashboard before a suite and closes it after the last test.
 * @returns registers one flow as a test. It fails on errors in a page's console; its pages are closed at the end
 */
export function flows(
  settings: Readonly<Record<string, string>> = {},
): (name: string, run: (dashboard: DashboardTest) => Promise<void>) => void {
  let dashboard: DashboardTest | undefined
  before(async () => {
    if (!skip) dashboard = await openDashboard(settings)
  })
  after(() => dashboard?.close())
  return (name, run) =>
    test(name, { skip }, async t => {
      if (dashboard === undefined) return t.skip('no Chromium starts here')
      try {
        await run(dashboard)
        assert.deepEqual(dashboard.faults.splice(0), [])
      } finally {
        await Promise.all(dashboard.browser.contexts().map(context => context.close()))
        // Errors from closing pages do not count for the next flow.
        dashboard.faults.length = 0
      }
    })
}

/** @returns undefined when Chromium does not start, with a message on standard error */
export async function openDashboard(
  settings: Readonly<Record<string, string>> = {},
): Promise<DashboardTest | undefined> {
  const browser = await borrowBrowser()
  if (browser === undefined) return undefined
  const sluice = await startSluice({ settings: { SLUICE_CRS: testCrs, ...settings } }).catch(async error => {
    // An open browser keeps the test file from ending.
    await returnBrowser(browser)
    throw error
  })
  const origin = await startOrigin()
  const [account] = (await api(sluice, 'GET', '/accounts')).result
  const zone = await api(sluice, 'POST', '/zones', {
    name: zoneName,
    account: { id: account.id },
    origin: { url: origin.url },
  })
  const visit = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    visitServed(() => origin.through(sluice.edgePort, zoneName, path, { headers }))
  const faults: string[] = []
  const session = { token: sluice.token, accountId: account.id, accountName: account.name, owner: 'user' }
  return {
    sluice,
    browser,
    origin,
    accountId: account.id,
    zoneId: zone.result.id,
    faults,
    page: options => openPage(browser, new URL(sluice.apiUrl).origin, session, faults, options),
    visit,
    async close() {
      await returnBrowser(browser)
      await discard(sluice)
      await origin.close()
    },
  }
}

/** A new zone takes a moment to reach the edge, which responds 404 until then; the origin's responses name the request. */
async function visitServed(ask: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await ask()
    if (answer.status !== 404 || tries === 50) return answer
    if ((await answer.clone().text()).startsWith('GET /')) return answer
    await sleep(100)
  }
}

async function openPage(
  browser: Browser,
  address: string,
  session: object,
  faults: string[],
  { path = '/', width = 1440, height = 900, scheme = 'light', token }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address })
  await context.addInitScript(sayRefusals)
  if (token !== false) await signIn(context, token === undefined ? session : { ...session, token })
  const page = await context.newPage()
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    // The browser logs refused requests itself; pages show them.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(`${page.url()}: ${message.text()}`)
  })
  await page.goto(`${address}${path}`)
  return page
}

/** Runs in pages: logs the element that the security policy refused. The browser’s own message only has a hash. */
function sayRefusals(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, target }) => {
    const element = target instanceof Element ? target.outerHTML.slice(0, 300) : 'an element that is gone'
    console.error(`refused by ${violatedDirective}: ${element}`)
  })
}

/** Stores a session as if the user had signed in and stayed signed in on this tab. */
async function signIn(context: BrowserContext, session: object): Promise<void> {
  await context.addInitScript(text => sessionStorage.setItem('sluice.session', text), JSON.stringify(session))
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Waits for finite animations: elements that fade in do not have their final colours. */
const stillness = `Promise.allSettled(
  document
    .getAnimations()
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    .map(({ finished }) => finished),
).then(() => null)`

/** All accessibility violations that axe finds, with their elements. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(stillness)
  await page.evaluate(axe)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } }
    return (await axe.run()).violations
  })
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      node => `${id}: ${help}: ${node.html.slice(0, 200)}${node.any[0] ? ` (${node.any[0].message})` : ''}`,
    ),
  )
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly help: string
    readonly nodes: readonly {
      readonly html: string
      readonly any: readonly { readonly message: string }[]
    }[]
  }[]
}

/** Writes a PNG to the folder in DASHBOARD_SCREENSHOTS, if set. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['DASHBOARD_SCREENSHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** Window sizes and colour schemes for every screen. */
export const looks = [
  { name: 'light', width: 1440, height: 900, scheme: 'light' },
  { name: 'dark', width: 1440, height: 900, scheme: 'dark' },
  { name: 'narrow', width: 360, height: 740, scheme: 'light' },
] as const
