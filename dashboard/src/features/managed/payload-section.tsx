import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { isPayloadKey, makePayloadKeys, type PayloadKeys } from '../../managed/payload-keys.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from '../../ui/section.tsx'
import { NewKeysDialog } from './new-keys-dialog.tsx'

interface Props {
  readonly publicKey: string
  readonly disabled: boolean
  onChange(publicKey: string): void
}

/** Records the values that matched, for the holder of a private key only. */
export function PayloadSection({ publicKey, disabled, onChange }: Props) {
  const [pasting, setPasting] = useState(false)
  const [keys, setKeys] = useState<PayloadKeys | undefined>()
  const make = useMutation({ mutationFn: makePayloadKeys, onSuccess: setKeys })
  return (
    <Section
      title="Payload logging"
      text="Records name what matched, such as the parameter q, and never show its value. With a public key the values are recorded too, encrypted: only the holder of the private key can read them, in Events."
    >
      {publicKey === '' ? (
        <Text size="sm">Off. Values that match are not recorded.</Text>
      ) : (
        <Stack gap={4}>
          <Text size="sm">On, for this public key:</Text>
          <CodeBlock text={publicKey} what="the public key" />
        </Stack>
      )}
      <Group gap="xs">
        <Button variant="default" disabled={disabled} loading={make.isPending} onClick={() => make.mutate()}>
          {publicKey === '' ? 'Make a key pair' : 'Make a new key pair'}
        </Button>
        <Button
          variant="default"
          disabled={disabled}
          aria-expanded={pasting}
          onClick={() => setPasting(!pasting)}
        >
          Paste a public key
        </Button>
        {publicKey === '' ? null : (
          <Button variant="default" disabled={disabled} onClick={() => onChange('')}>
            Switch off
          </Button>
        )}
      </Group>
      {make.isError ? (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {make.error.message} Run npx sluice keys generate and paste the public key.
        </Text>
      ) : null}
      {pasting ? (
        <PasteKey
          disabled={disabled}
          onUse={key => {
            setPasting(false)
            onChange(key)
          }}
        />
      ) : null}
      <NewKeysDialog
        keys={keys}
        onUse={key => {
          setKeys(undefined)
          make.reset()
          onChange(key)
        }}
        onClose={() => {
          setKeys(undefined)
          make.reset()
        }}
      />
    </Section>
  )
}

function PasteKey({ disabled, onUse }: { readonly disabled: boolean; onUse(key: string): void }) {
  const [text, setText] = useState('')
  const key = text.trim()
  const isKey = isPayloadKey(key)
  return (
    <Group align="flex-end" gap="xs">
      <TextInput
        label="Public key"
        description="Base64 of the 32 bytes of an X25519 key, as npx sluice keys generate or matched-data-cli prints it"
        value={text}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        flex="1 1 320px"
        maw={560}
        error={key !== '' && !isKey ? 'This is not the base64 of 32 bytes.' : undefined}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Button disabled={disabled || !isKey} onClick={() => onUse(key)}>
        Use this key
      </Button>
    </Group>
  )
}
