import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Zone } from '../../api/types.ts'
import { AddZoneForm } from './add-zone-form.tsx'
import { ZoneAdded } from './zone-added.tsx'

interface Props {
  readonly opened: boolean
  onClose(): void
}

interface Added {
  readonly zone: Zone
  readonly isProtected: boolean
}

/** Dialog: name and origin with a connection check, then commands to try the new zone. */
export function AddZone({ opened, onClose }: Props) {
  const [added, setAdded] = useState<Added>()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setAdded(undefined)}
      title={added === undefined ? 'Add zone' : `${added.zone.name} added`}
      size="lg"
    >
      {added === undefined ? (
        <AddZoneForm onAdded={(zone, isProtected) => setAdded({ zone, isProtected })} onCancel={onClose} />
      ) : (
        <ZoneAdded {...added} onClose={onClose} />
      )}
    </Modal>
  )
}
