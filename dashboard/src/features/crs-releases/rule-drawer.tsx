import { Badge, Drawer, Group, Loader, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import { useRead, useSession } from '../../api/hooks.ts'
import type { CrsRelease } from '../../api/types.ts'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { FailureText } from '../../ui/display/failure-text.tsx'
import { type ComparedRule, memberWords } from './comparison.ts'
import { KindBadge } from './kind-badge.tsx'
import classes from './rule-drawer.module.css'
import { compareLines } from './text-lines.ts'

interface Props {
  readonly rule: ComparedRule | undefined
  readonly from: CrsRelease
  readonly to: CrsRelease
  onClose(): void
}

/** One rule: its differences between the two releases, line by line. */
export function RuleDrawer({ rule, from, to, onClose }: Props) {
  return (
    <Drawer
      opened={rule !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={rule === undefined ? '' : `Rule ${rule.id}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {rule === undefined ? null : (
        <Stack gap="lg">
          <div>
            <Group gap="xs" mb={4}>
              <KindBadge kind={rule.kind} />
              {rule.level === undefined || rule.level === 0 ? null : (
                <Badge variant="outline">PL{rule.level}</Badge>
              )}
              {rule.severity ? (
                <Badge variant="outline" tt="none">
                  {rule.severity.toLowerCase()}
                </Badge>
              ) : null}
            </Group>
            <Title order={2}>{rule.message || 'No message'}</Title>
            <Text size="sm" c="dimmed" className="wrap">
              {rule.file}
            </Text>
          </div>
          {rule.kind === 'changed' ? (
            <Changes rule={rule} />
          ) : (
            <WrittenRule number={rule.id} release={rule.kind === 'added' ? to : from} />
          )}
        </Stack>
      )}
    </Drawer>
  )
}

function Changes({ rule: { members, changes } }: { readonly rule: ComparedRule }) {
  return members.map(member => {
    const { from, to } = changes[member] ?? { from: undefined, to: undefined }
    const word = memberWords[member] ?? member
    return (
      <section key={member} aria-label={`Difference: ${word}`}>
        <Title order={3} mb={4}>
          {word.charAt(0).toUpperCase() + word.slice(1)}
        </Title>
        <Difference from={textOf(from)} to={textOf(to)} />
      </section>
    )
  })
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.toSorted().join('\n')
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

const signs = { same: ' ', removed: '−', added: '+' } as const
const words = { removed: 'Removed: ', added: 'Added: ' } as const

function Difference({ from, to }: { readonly from: string; readonly to: string }) {
  if (from === to)
    return <Text size="sm">The rule text is unchanged; a data file that it reads has changed.</Text>
  return (
    <div className={classes['lines']}>
      {compareLines(from, to).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of two constant texts
        <div key={at} className={classes[line.kind]}>
          <span aria-hidden="true">{signs[line.kind]} </span>
          {line.kind === 'same' ? null : <VisuallyHidden>{words[line.kind]}</VisuallyHidden>}
          {line.text}
        </div>
      ))}
    </div>
  )
}

/** The text of a rule that only one release has. */
function WrittenRule({ number, release }: { readonly number: number; readonly release: CrsRelease }) {
  const { data, error } = useRead(
    'GET /accounts/{account_id}/waf/crs_releases/{release}/rules/{number}',
    { path: { account_id: useSession().accountId, release: release.version, number } },
    { staleMs: Number.POSITIVE_INFINITY },
  )
  if (error !== null) return <FailureText error={error} />
  if (data === undefined) return <Loader role="img" size="sm" aria-label="Loading rule" />
  return (
    <section aria-label="Rule text">
      <Title order={3} mb={4}>
        Rule text in CRS {release.crs_version}
      </Title>
      <CodeBlock text={data.text} what="rule" />
    </section>
  )
}
