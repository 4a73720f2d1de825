import type { Action } from '../../seclang/ast.ts'
import type { Draft, Phase } from '../program/draft.ts'
import { defaultSettings, type EngineSettings } from '../program/settings.ts'
import { Patterns } from './patterns.ts'
import type { Problems } from './problems.ts'

/** The state that directives change while the sources are read from top to bottom. */
export class LoadState {
  readonly problems: Problems
  readonly patterns: Patterns
  readonly defaults = new Map<Phase, readonly Action[]>()
  settings: EngineSettings = defaultSettings
  drafts: Draft[] = []

  constructor(problems: Problems) {
    this.problems = problems
    this.patterns = new Patterns(problems)
  }
}
