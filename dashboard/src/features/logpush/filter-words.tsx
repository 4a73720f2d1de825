import { Code, Text } from '@mantine/core'
import { datasets } from '../../../../src/model/datasets/table.ts'
import { stateOfText } from './filter/edited.ts'

/** A filter in words and as JSON; loaded only for jobs with a filter. */
export default function FilterWords({
  filter,
  dataset,
}: {
  readonly filter: string
  readonly dataset: string
}) {
  const known = datasets.get(dataset)
  const words = known === undefined ? undefined : stateOfText(filter, known).explanation
  return (
    <>
      {words === undefined ? null : (
        <Text size="sm" className="wrap">
          {words}.
        </Text>
      )}
      <Code className="wrap">{filter}</Code>
    </>
  )
}
