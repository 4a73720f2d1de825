import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'

/** Window size in CSS pixels, and colour scheme. */
export interface Look {
  readonly width: number
  readonly height: number
  readonly scheme: 'light' | 'dark'
}

/** Window sizes and colour schemes for every screen. */
const looks = [
  { name: 'light', width: 1440, height: 900, scheme: 'light' },
  { name: 'dark', width: 1440, height: 900, scheme: 'dark' },
  { name: 'narrow', width: 360, height: 740, scheme: 'light' },
] as const

const [usual] = looks

const contrast = 'color-contrast'

/** The scheme changes colours only, and the width changes everything else. */
const rulesOf = {
  light: {},
  dark: { runOnly: [contrast] },
  narrow: { rules: { [contrast]: { enabled: false } } },
}

/** Gives a page a look as a user does: with the window's edge and the system's setting. */
export async function wear(page: Page, look: Partial<Look> = {}): Promise<void> {
  const { width, height, scheme } = { ...usual, ...look }
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
}

/** Fails unless the page, as it is now, is accessible and fits its window in every look. It keeps the last one, narrow. */
export async function looksWell(page: Page, name: string): Promise<void> {
  for (const look of looks) {
    await wear(page, look)
    await screenshot(page, `${name}-${look.name}`)
    assert.deepEqual(await axeViolations(page, rulesOf[look.name]), [], `${name}, ${look.name}`)
    await eventually(async () => {
      const tooWide = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
      assert.ok(tooWide <= 0, `${name}, ${look.name}: ${tooWide} pixels wider than the window`)
    })
  }
}

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Waits for three frames without a finite animation. Elements that fade in do not have their final colours, and a new
 * colour scheme begins its transitions some frames later.
 */
const stillness = `(async () => {
  for (let still = 0; still < 3; still++) {
    await new Promise(requestAnimationFrame)
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
    if (moving.length === 0) continue
    await Promise.allSettled(moving.map(({ finished }) => finished))
    still = -1
  }
})()`

/** All accessibility violations that axe finds, with their elements. @param rules axe's options; all rules by default */
export async function axeViolations(page: Page, rules: object = {}): Promise<string[]> {
  await page.evaluate(stillness)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  // Without the elements of what it finds in order. Only a rule that axe leaves out by default reads copies of style sheets.
  const options = { ...rules, resultTypes: ['violations'], preload: { assets: ['media'] } }
  const violations = await page.evaluate(async chosen => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return (await axe.run(chosen)).violations
  }, options)
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
