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

/** Name, origin, a look whether it answers; then the commands to try the new zone with. */
export function AddZone({ opened, onClose }: Props) {
  const [added, setAdded] = useState<Added>()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setAdded(undefined)}
      title={added === undefined ? 'Add a zone' : `${added.zone.name} is added`}
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
