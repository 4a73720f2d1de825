import type { Browser, Page } from 'playwright-core'
import { type Look, wear } from './looks.ts'

/** One tab for all pages of an installation: a page in a warm tab takes a third of the CPU time of one in a new context. */
export interface Tab {
  /** Errors in the consoles of pages, including violations of their security policy. */
  readonly faults: string[]
  /** Loads a page of the dashboard with nothing in the storage but this session. */
  open(session: object | undefined, options: PageOptions): Promise<Page>
  /** Ends the page that is open, and what a flow did to the tab. */
  leave(): Promise<void>
  close(): Promise<void>
}

export interface PageOptions extends Partial<Look> {
  /** Path below the dashboard's address; the overview by default. */
  readonly path?: string
  /** Runs before the page loads, for example to answer some of its calls. */
  prepare?(tab: Page): Promise<unknown>
}

/** Has the dashboard's storage, and no script. */
const restingPath = '/icon.svg'

/** @param address of the dashboard, without a path */
export async function openTab(browser: Browser, address: string): Promise<Tab> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: address })
  await context.addInitScript(sayRefusals)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(`${page.url()}: ${error.stack ?? error.message}`))
  page.on('console', message => {
    // The browser logs refused requests itself; pages show them.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(`${page.url()}: ${message.text()}`)
  })
  const rest = `${address}${restingPath}`
  const leave = async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    if (page.url() !== rest) await page.goto(rest)
  }
  return {
    faults,
    leave,
    close: () => context.close(),
    async open(session, { path = '/', prepare, ...look }) {
      await leave()
      await wear(page, look)
      await page.evaluate(storeOnly, session === undefined ? undefined : JSON.stringify(session))
      await prepare?.(page)
      await page.goto(`${address}${path}`)
      return page
    },
  }
}

/** Runs in pages: stores a session as if the user had signed in and stayed signed in on this tab. */
function storeOnly(session: string | undefined): void {
  localStorage.clear()
  sessionStorage.clear()
  if (session !== undefined) sessionStorage.setItem('sluice.session', session)
}

/** Runs in pages: logs the element that the security policy refused. The browser’s own message only has a hash. */
function sayRefusals(): void {
  addEventListener('securitypolicyviolation', ({ violatedDirective, target }) => {
    const element = target instanceof Element ? target.outerHTML.slice(0, 300) : 'an element that is gone'
    console.error(`refused by ${violatedDirective}: ${element}`)
  })
}
