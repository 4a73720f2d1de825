import type { Store } from '../../store/index.ts'

/** The part of the store that plans are made from. */
export interface PlanSource {
  readonly zones: Pick<Store['zones'], 'list' | 'get'>
  readonly plans: Pick<Store['plans'], 'documents'>
  readonly rulesets: Pick<Store['rulesets'], 'all'>
  readonly lists: Pick<Store['lists'], 'list' | 'contents'>
  readonly customPages: Pick<Store['customPages'], 'list'>
  readonly customAssets: Pick<Store['customAssets'], 'list'>
  readonly accessRules: Pick<Store['accessRules'], 'page' | 'pageOf' | 'writtenAfter'>
  readonly loadBalancing: Pick<Store['loadBalancing'], 'zones'>
  readonly crs: Pick<Store['crs'], 'active' | 'managedRulesets'>
}
