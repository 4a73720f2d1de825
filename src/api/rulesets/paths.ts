export interface RulesetPath {
  Params: { readonly ruleset_id: string }
}

export interface RulePath {
  Params: { readonly ruleset_id: string; readonly rule_id: string }
}

export interface VersionPath {
  Params: { readonly ruleset_id: string; readonly version: string }
}

export interface TagPath {
  Params: { readonly ruleset_id: string; readonly version: string; readonly tag: string }
}

export interface PhasePath {
  Params: { readonly phase: string }
}

export interface PhaseVersionPath {
  Params: { readonly phase: string; readonly version: string }
}
