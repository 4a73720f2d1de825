import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Section } from '../../ui/page/section.tsx'
import { NewKeysDialog } from './new-keys-dialog.tsx'
import { isPayloadKey, makePayloadKeys, type PayloadKeys } from './payload-keys.ts'

interface Props {
  readonly publicKey: string
  readonly disabled: boolean
  onChange(publicKey: string): void
}

/** Settings of payload logging. */
export function PayloadSection({ publicKey, disabled, onChange }: Props) {
  const [pasting, setPasting] = useState(false)
  const [keys, setKeys] = useState<PayloadKeys | undefined>()
  const make = useMutation({ mutationFn: makePayloadKeys, onSuccess: setKeys })
  const forget = () => {
    setKeys(undefined)
    make.reset()
  }
  return (
    <Section
      title="Payload logging"
      text="Logs name the matched field, such as the parameter q, but not its value. With a public key, encrypted values are logged too. Decrypt them in Events with the private key."
    >
      <CurrentKey publicKey={publicKey} />
      <Group gap="xs">
        <Button variant="default" disabled={disabled} loading={make.isPending} onClick={() => make.mutate()}>
          {publicKey === '' ? 'Create key pair' : 'Create new key pair'}
        </Button>
        <Button
          variant="default"
          disabled={disabled}
          aria-expanded={pasting}
          onClick={() => setPasting(!pasting)}
        >
          Paste public key
        </Button>
        {publicKey === '' ? null : (
          <Button variant="default" disabled={disabled} onClick={() => onChange('')}>
            Disable
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
          forget()
          onChange(key)
        }}
        onClose={forget}
      />
    </Section>
  )
}

function CurrentKey({ publicKey }: { readonly publicKey: string }) {
  if (publicKey === '') return <Text size="sm">Disabled: matched values are not logged.</Text>
  return (
    <Stack gap={4}>
      <Text size="sm">Enabled, with this public key:</Text>
      <CodeBlock text={publicKey} what="public key" />
    </Stack>
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
        description="Base64 of a 32-byte X25519 key, from npx sluice keys generate or matched-data-cli"
        value={text}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        flex="1 1 320px"
        maw={560}
        error={key !== '' && !isKey ? 'Enter the base64 of 32 bytes.' : undefined}
        onChange={event => setText(event.currentTarget.value)}
      />
      <Button disabled={disabled || !isKey} onClick={() => onUse(key)}>
        Use key
      </Button>
    </Group>
  )
}
