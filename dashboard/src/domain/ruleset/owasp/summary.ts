import type { Tone } from '../../../ui/display/status-dot.tsx'
import { deploymentsIn, type EntryPoint, type ManagedRuleset } from './document.ts'
import { levelOf, readSettings } from './settings.ts'
import { shortActionLabel } from './words.ts'

export interface Protection {
  readonly word: string
  readonly tone: Tone
}

const off: Protection = { word: 'Disabled', tone: 'bad' }

/**
 * Protection by the managed ruleset in a word: `Disabled`, `Log` or `PL2 · 40 · Challenge`. With several rules that
 * execute it, the first enabled one counts. `partial` means that there are more, or that it inspects only some requests.
 * @param ruleset undefined until it is loaded: then only enabled or disabled
 */
export function protectionOf(
  entryPoint: EntryPoint | null | undefined,
  ruleset: ManagedRuleset | undefined,
): Protection {
  const [rule, ...more] = deploymentsIn(entryPoint ?? undefined).filter(({ enabled }) => enabled !== false)
  if (rule === undefined) return off
  if (ruleset === undefined) return { word: 'Enabled', tone: 'good' }
  const settings = readSettings(rule, ruleset)
  if (!settings.acts || settings.action === 'log') return { word: 'Log', tone: 'warn' }
  const level = levelOf(settings)
  const parts = [level === undefined ? 'Custom levels' : `PL${level}`, settings.threshold]
  const isPart = more.length > 0 || settings.expression.trim() !== 'true'
  return {
    word: `${parts.join(' · ')} · ${shortActionLabel(settings.action)}${isPart ? ', partial' : ''}`,
    tone: 'good',
  }
}
