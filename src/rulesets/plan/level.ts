import type { CustomAsset } from '../../model/custom-asset.ts'
import {
  type EvaluatedRuleset,
  isEvaluated,
  type Phase,
  type Rule,
  type Ruleset,
} from '../../model/resource.ts'
import { blockResponseOf } from '../actions/block.ts'
import { closedRuleset } from '../managed/closed-rulesets.ts'
import { normalizes, urlNormalizationRulesetId } from '../managed/url-normalization.ts'
import { refusal, rulesetCodes } from '../problems.ts'
import { refuse } from '../reading.ts'
import { areExposed, exposedLocation } from './credentials.ts'
import { executeParametersOf, managedExecutionOf } from './executions.ts'
import { PlanSource } from './expression-compiler.ts'
import type { CompiledFilter } from './expressions.ts'
import type {
  CredentialLocation,
  CustomExecution,
  ManagedExecution,
  NormalizeUriEffect,
  PlainEffect,
  PlanAction,
  PlanEffect,
  PlanInput,
  PlanRule,
  PlanRuleset,
} from './plan.ts'
import { rateLimitOf } from './rate-limit.ts'
import {
  compressionOf,
  configurationOf,
  listedRedirectOf,
  redirectOf,
  rewriteOf,
  routeOf,
} from './rewrites.ts'
import { serveErrorOf } from './serve-error.ts'
import { exceptingRules, type SkipRule, skipOf } from './skips.ts'

/** The lookups of everything that the rules of a level name. */
export interface LevelInput extends Pick<PlanInput, 'managed' | 'lists' | 'redirectLists'> {
  readonly assets: readonly CustomAsset[]
}

/** A compiled entry point. */
export interface PlannedEntryPoint {
  readonly ruleset: PlanRuleset
  readonly readsBody: boolean
  /** Some expression asks about the credentials of the request. */
  readonly asksCredentials: boolean
  /** Where rules with a separate check look for credentials. */
  readonly exposed: readonly CredentialLocation[]
}

/**
 * The entry points of an account or of a zone, with their executed rulesets. Entry points without rules are left out.
 */
export class PlanLevel {
  readonly entryPoints: ReadonlyMap<Phase, PlannedEntryPoint>
  /** Enabled skip rules that create exceptions for managed rulesets. */
  readonly skips: readonly SkipRule[]
  readonly #input: LevelInput
  readonly #custom: ReadonlyMap<string, EvaluatedRuleset>
  readonly #plannedCustom = new Map<string, PlannedEntryPoint>()

  /** @param stored of any phase. Rulesets that are kept and not enforced are left out */
  constructor(stored: readonly Ruleset[], input: LevelInput) {
    const rulesets = stored.filter(isEvaluated)
    this.#input = input
    this.#custom = new Map(
      rulesets.filter(({ kind }) => kind === 'custom').map(ruleset => [ruleset.id, ruleset]),
    )
    this.skips = rulesets.flatMap(exceptingRules)
    const entryPoints = new Map<Phase, PlannedEntryPoint>()
    for (const ruleset of rulesets) {
      if (ruleset.kind === 'custom' || ruleset.phase === 'http_log_custom_fields') continue
      const planned = this.#plan(ruleset)
      if (planned.ruleset.rules.length > 0) entryPoints.set(ruleset.phase, planned)
    }
    this.entryPoints = entryPoints
  }

  #plan(ruleset: EvaluatedRuleset): PlannedEntryPoint {
    const source = new PlanSource(this.#input.lists)
    const rules: PlanRule[] = []
    for (const rule of ruleset.rules) {
      const planned = rule.enabled ? this.#planRule(rule, ruleset, source) : undefined
      if (planned !== undefined) rules.push(planned)
    }
    const { id, version, kind } = ruleset
    const { readsBody, asksCredentials, exposed } = source
    return { ruleset: { id, version: String(version), kind, rules }, readsBody, asksCredentials, exposed }
  }

  /** Undefined for a rule that does nothing. */
  #planRule(rule: Rule, ruleset: EvaluatedRuleset, source: PlanSource): PlanRule | undefined {
    const filter = source.filter(rule.expression ?? '', { phase: ruleset.phase, use: 'filter' })
    const effect = this.#effectOf(rule, ruleset, filter, source)
    return (
      effect && {
        id: rule.id,
        ref: rule.ref,
        rulesetId: ruleset.id,
        rulesetVersion: String(ruleset.version),
        description: rule.description ?? '',
        matches: this.#matchesOf(rule, ruleset, filter, source),
        effect,
      }
    )
  }

  #matchesOf(
    { exposedCredentialCheck: check }: Rule,
    { phase }: EvaluatedRuleset,
    filter: CompiledFilter,
    source: PlanSource,
  ): PlanRule['matches'] {
    if (check === undefined) return filter.test
    const location = exposedLocation(check, phase, source)
    source.exposed.push(location)
    return view => filter.test(view) && areExposed(location, view)
  }

  #effectOf(
    rule: Rule,
    { kind, phase }: EvaluatedRuleset,
    filter: CompiledFilter,
    source: PlanSource,
  ): PlanEffect | undefined {
    const parameters = rule.actionParameters ?? {}
    switch (rule.action) {
      case 'execute':
        return kind === 'custom' ? failNested(rule) : this.#executionOf(rule, source)
      case 'skip':
        return skipOf(rule)
      case 'rewrite':
        return rewriteOf(parameters, phase, source)
      case 'redirect':
        return parameters['from_list'] === undefined
          ? redirectOf(parameters, phase, source)
          : listedRedirectOf(parameters, phase, source, this.#input.redirectLists)
      case 'route':
        return routeOf(parameters)
      case 'serve_error':
        return serveErrorOf(parameters, filter, this.#input.assets)
      case 'compress_response':
        return compressionOf(parameters)
      case 'set_config':
        return configurationOf(parameters)
      default:
        return plainEffectOf(rule, filter, source)
    }
  }

  #executionOf(
    rule: Rule,
    source: PlanSource,
  ): ManagedExecution | CustomExecution | NormalizeUriEffect | undefined {
    const { id, overrides } = executeParametersOf(rule)
    if (id === urlNormalizationRulesetId) return normalizes(overrides) ? { kind: 'normalize-uri' } : undefined
    const custom = this.#custom.get(id)
    if (custom === undefined && closedRuleset(id) !== undefined) return undefined
    if (custom === undefined) return managedExecutionOf(rule, this.#input.managed, this.skips)
    const planned = this.#plannedCustom.get(id) ?? this.#plan(custom)
    this.#plannedCustom.set(id, planned)
    if (planned.readsBody) source.readsBody = true
    if (planned.asksCredentials) source.asksCredentials = true
    source.exposed.push(...planned.exposed)
    return { kind: 'execute-custom', ruleset: planned.ruleset }
  }
}

function plainEffectOf(rule: Rule, filter: CompiledFilter, source: PlanSource): PlainEffect {
  const response = blockResponseOf(rule.actionParameters)
  return {
    kind: 'action',
    action: rule.action as PlanAction,
    ...(response === undefined ? {} : { response }),
    ...(rule.ratelimit === undefined ? {} : { limit: rateLimitOf(rule.ratelimit, filter, source) }),
  }
}

function failNested(rule: Rule): never {
  const message = `rule ${rule.id} executes a ruleset from within a custom ruleset`
  return refuse(refusal(rulesetCodes.planUnbuildable, message, ''))
}
