import { Drafting } from './drafting.tsx'

/** Creates a job. */
export default function NewJobPage() {
  return <Drafting job={undefined} />
}
