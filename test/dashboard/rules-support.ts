import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'
import { api } from '../support/sluice.ts'
import type { DashboardTest } from './support.ts'

/** Steps of the Tab key within which a control is reached; more is too far for anybody. */
const stepsMax = 60

/** Goes on with Tab until the control that has the focus has this name. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < stepsMax; step++) {
    await page.keyboard.press('Tab')
    const focused = await nameOfFocus(page)
    passed.push(focused)
    if (typeof name === 'string' ? focused === name : name.test(focused)) return
  }
  assert.fail(`Tab does not reach ${name}; it passed ${passed.join(' | ')}`)
}

/** What a screen reader says of the control that has the focus. */
export async function nameOfFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      readonly document: { readonly activeElement: Focused | null }
    }
    const focused = document.activeElement
    const label =
      focused?.getAttribute('aria-label') ??
      focused?.labels?.[0]?.textContent ??
      (focused?.getAttribute('placeholder') || focused?.textContent)
    return (label ?? '').trim()
  })
}

/** As far as it is looked at: the types of browsers are not those of tests. */
interface Focused {
  readonly labels?: readonly { readonly textContent: string }[]
  readonly textContent: string
  getAttribute(name: string): string | null
}

/** Chooses an option of the select that has the focus, with the keyboard. */
export async function choose(page: Page, option: string): Promise<void> {
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: option, exact: true }).waitFor()
  for (let step = 0; step < stepsMax; step++) {
    const active = await page
      .locator('[data-combobox-selected]')
      .textContent({ timeout: 500 })
      .catch(() => '')
    if (active?.trim() === option) {
      await page.keyboard.press('Enter')
      return
    }
    await page.keyboard.press('ArrowDown')
  }
  assert.fail(`the arrow keys do not reach ${option}`)
}

/** Requests until the edge answers so: a change is in force within a second, on a machine that is not busy. */
export function answersWith(
  { visit }: DashboardTest,
  path: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return eventually(async () => {
    const answer = await visit(path, headers)
    assert.equal(answer.status, status, `${path} is answered with ${answer.status} and not with ${status}`)
    return answer
  })
}

interface StoredRule {
  readonly id: string
  readonly action: string
  readonly description?: string
  readonly expression: string
  readonly enabled: boolean
  readonly action_parameters?: unknown
  readonly ratelimit?: unknown
}

/** The rules of a phase as the API has them. */
export async function storedRules(
  { sluice, zoneId }: DashboardTest,
  phase: string,
): Promise<readonly StoredRule[]> {
  const path = `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`
  return (await api(sluice, 'GET', path)).result?.rules ?? []
}

export async function putRules(
  { sluice, zoneId }: DashboardTest,
  phase: string,
  rules: readonly object[],
): Promise<void> {
  const path = `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`
  const answer = await api(sluice, 'PUT', path, { rules })
  assert.deepEqual(answer.errors, [])
}

/** Reads until it is what is wanted: what a page does takes a moment. */
export function untilEqual<T>(read: () => Promise<T>, want: T): Promise<void> {
  return eventually(async () => assert.deepEqual(await read(), want))
}
