import { Alert, Button, Stack } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import { scoringRules } from '../../managed/document.ts'
import { effectiveStates } from '../../managed/effective.ts'
import { type RuleRow, rowOf, searchRules } from '../../managed/rule-search.ts'
import { switchRules } from '../../managed/switching.ts'
import { writeRule } from '../../managed/write.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/links.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { DraftBar } from './draft-bar.tsx'
import { ManagedFrame } from './managed-frame.tsx'
import { RuleDrawer } from './rule-drawer.tsx'
import { RuleFilters } from './rule-filters.tsx'
import { RuleList } from './rule-list.tsx'
import { SwitchedTags } from './switched-tags.tsx'
import { TagDialog } from './tag-dialog.tsx'
import type { Managed } from './use-managed.ts'
import { useRuleHits } from './use-rule-hits.ts'
import { sortRows, useRuleSearch } from './use-rule-search.ts'

export default function RulesPage() {
  return <ManagedFrame>{managed => <Content managed={managed} />}</ManagedFrame>
}

function Content({ managed }: { readonly managed: Managed }) {
  const { place, settings } = managed
  if (!settings.deployed)
    return (
      <>
        <Header />
        <EmptyState
          title="The ruleset is not deployed"
          text="Rules are switched on and off for a zone that runs them."
          action={<LinkButton to={`/zones/${place.zoneId}/managed`}>Go to the managed ruleset</LinkButton>}
        />
        <DraftBar managed={managed} />
      </>
    )
  return <Rules managed={managed} />
}

function Rules({ managed }: { readonly managed: Managed }) {
  const { place, changes, ruleset, replace } = managed
  const { may, reason } = useMay('zoneWaf write')
  const rows = useRows(managed)
  const hits = useRuleHits(place.zoneId)
  const { search, sort } = useRuleSearch()
  const [openId, setOpenId] = useUrlState('rule')
  const [tagging, setTagging] = useState(false)
  const shown = useMemo(() => sortRows(searchRules(rows, search), sort, hits), [rows, search, sort, hits])
  const onSwitch = (ids: readonly string[], on: boolean) =>
    replace(switchRules(place.rule, changes, ruleset, ids, on))
  const open = rows.find(({ rule }) => rule.id === openId)
  return (
    <>
      <Header
        actions={
          <Button variant="default" disabled={!may} onClick={() => setTagging(true)}>
            Switch a tag…
          </Button>
        }
      />
      <Stack gap="md">
        {may ? null : (
          <Alert color="yellow" icon={<AlertIcon />} title="You can look, and not change">
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
        zoneId={place.zoneId}
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
      title="Rules of the ruleset"
      text="Every rule that adds to the score. One that is in the way of good requests can be switched off here, alone or with its tag. Changes are a draft until you deploy them."
      actions={actions}
    />
  )
}

/** Scoring rules with their state in the draft and as deployed. */
function useRows({ place, changes, ruleset }: Managed): readonly RuleRow[] {
  return useMemo(() => {
    const now = effectiveStates(place.rule?.action_parameters.overrides)
    const then = effectiveStates(writeRule(place.rule, changes, ruleset).action_parameters.overrides)
    return scoringRules(ruleset).map(rule => rowOf(rule, then(rule), now(rule).on))
  }, [place.rule, changes, ruleset])
}
