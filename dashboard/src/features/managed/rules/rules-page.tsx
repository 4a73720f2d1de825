import { Alert, Button, Stack } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useMay } from '../../../api/permissions.ts'
import { scoringRules } from '../../../domain/ruleset/owasp/document.ts'
import { DraftBar } from '../../../domain/ruleset/owasp/draft/draft-bar.tsx'
import { ManagedFrame } from '../../../domain/ruleset/owasp/draft/managed-frame.tsx'
import type { Managed } from '../../../domain/ruleset/owasp/draft/use-managed.ts'
import { effectiveStates } from '../../../domain/ruleset/owasp/effective.ts'
import { switchRules } from '../../../domain/ruleset/owasp/switching.ts'
import { writeRule } from '../../../domain/ruleset/owasp/write.ts'
import { useUrlState } from '../../../ui/address/use-url-state.ts'
import { AlertIcon } from '../../../ui/display/icons.tsx'
import { LinkButton } from '../../../ui/page/links.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { EmptyState } from '../../../ui/page/states.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import { RuleFilters } from './rule-filters.tsx'
import { RuleList } from './rule-list.tsx'
import { type RuleRow, rowOf, searchRules } from './rule-search.ts'
import { SwitchedTags } from './switched-tags.tsx'
import { TagDialog } from './tag-dialog.tsx'
import { useRuleHits } from './use-rule-hits.ts'
import { sortRows, useRuleSearch } from './use-rule-search.ts'

export default function RulesPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { context, settings } = managed
  if (!settings.deployed)
    return (
      <>
        <Header />
        <EmptyState
          title="Ruleset not deployed"
          text="Deploy the managed ruleset to enable or disable its rules."
          action={<LinkButton to={`/zones/${context.zoneId}/managed`}>Go to Managed ruleset</LinkButton>}
        />
        <DraftBar managed={managed} />
      </>
    )
  return <Rules managed={managed} />
}

function Rules({ managed }: { readonly managed: Managed }) {
  const { context, changes, ruleset, replace } = managed
  const { may, reason } = useMay('zoneWaf write')
  const rows = useRows(managed)
  const hits = useRuleHits(context.zoneId)
  const { search, sort } = useRuleSearch()
  const [openId, setOpenId] = useUrlState('rule')
  const [tagging, setTagging] = useState(false)
  const shown = useMemo(() => sortRows(searchRules(rows, search), sort, hits), [rows, search, sort, hits])
  const onSwitch = (ids: readonly string[], on: boolean) =>
    replace(switchRules(context.rule, changes, ruleset, ids, on))
  const open = rows.find(({ rule }) => rule.id === openId)
  return (
    <>
      <Header
        actions={
          <Button variant="default" disabled={!may} onClick={() => setTagging(true)}>
            Override a tag…
          </Button>
        }
      />
      <Stack gap="md">
        {may ? null : (
          <Alert color="yellow" icon={<AlertIcon />} title="Read-only">
            {reason}
          </Alert>
        )}
        <SwitchedTags managed={managed} disabled={!may} />
        <RuleFilters rows={rows} />
        <RuleList
          rows={shown}
          total={rows.length}
          hits={hits}
          disabled={!may}
          onSwitch={onSwitch}
          onOpen={row => setOpenId(row.rule.id)}
        />
      </Stack>
      <RuleDrawer
        row={open}
        zoneId={context.zoneId}
        release={ruleset.version}
        hits={open === undefined ? undefined : hits.of(open.rule.id)}
        disabled={!may}
        onSwitch={on => open === undefined || onSwitch([open.rule.id], on)}
        onClose={() => setOpenId('')}
      />
      <TagDialog
        opened={tagging}
        managed={managed}
        rows={rows}
        tag={search.tag}
        onClose={() => setTagging(false)}
      />
      <DraftBar managed={managed} />
    </>
  )
}

function Header({ actions }: { readonly actions?: ReactNode }) {
  return (
    <PageHeader
      title="Browse rules"
      text="All rules that add to the score. Disable rules that cause false positives, one by one or by tag. Changes stay a draft until you deploy them."
      actions={actions}
    />
  )
}

/** Scoring rules with their draft and deployed states. */
function useRows({ context, changes, ruleset }: Managed): readonly RuleRow[] {
  return useMemo(() => {
    const now = effectiveStates(context.rule?.action_parameters.overrides)
    const then = effectiveStates(writeRule(context.rule, changes, ruleset).action_parameters.overrides)
    return scoringRules(ruleset).map(rule => rowOf(rule, then(rule), now(rule).on))
  }, [context.rule, changes, ruleset])
}
