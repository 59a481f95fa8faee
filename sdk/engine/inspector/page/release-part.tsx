import type { ControllerExplanation } from '../controller-explanation.js'
import type { DriftView, ReleaseView, RevisionView } from '../release-view.js'
import { Command, Facts, Section } from './parts.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The Helm release of an object; nothing if it has none. */
export function ReleasePart({ told }: { told: ControllerExplanation }) {
  const { releaseDetails: release, releaseError } = told
  if (releaseError !== undefined)
    return (
      <Section title="Release">
        <p>The release could not be read: {releaseError}</p>
      </Section>
    )
  if (!release) return null
  return (
    <Section title="Release">
      <ReleaseFacts release={release} />
      <Command label="helm" text={`helm history ${release.name} -n ${release.namespace}`} />
      <Drift release={release} />
      <Revisions release={release} />
    </Section>
  )
}

function ReleaseFacts({ release }: { release: ReleaseView }) {
  const { name, namespace, latest, stage, objects, isOwn, notReady } = release
  return (
    <Facts
      entries={[
        ['Release', `${name} in ${namespace}`],
        ['Revision', latest?.revision ?? 'none'],
        ['Status', latest?.status ?? null],
        ['Step', stage],
        ['Chart', latest?.chart ?? null],
        ['Objects', objects.length],
        ['Not ready', notReady && (notReady.join(', ') || 'none')],
        ['Belongs to the object', isOwn ? 'yes' : 'no'],
      ]}
    />
  )
}

function Drift({ release: { drift } }: { release: ReleaseView }) {
  if (drift === null)
    return <p class="soft">Drift is not known, because the latest revision is not deployed.</p>
  return (
    <Table<DriftView>
      caption="Objects that are not as deployed"
      items={drift}
      keyOf={({ object }) => object}
      empty="No drift: the objects are as deployed."
      columns={[
        { title: 'Object', cell: ({ object }) => object },
        {
          title: 'Differs at',
          cell: ({ fields }) => (fields.length === 0 ? 'it is gone' : fields.join(', ')),
        },
      ]}
    />
  )
}

function Revisions({ release: { revisions } }: { release: ReleaseView }) {
  return (
    <Table<RevisionView>
      caption="Revisions, the latest first"
      items={[...revisions].reverse()}
      keyOf={({ revision }) => String(revision)}
      empty="There is no revision yet."
      columns={[
        { title: 'Revision', look: 'number', cell: ({ revision }) => revision },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'Chart', cell: ({ chart }) => chart },
        { title: 'At', look: 'wide', cell: ({ atMs }) => <Time atMs={atMs} /> },
        { title: 'Description', cell: ({ description }) => description },
      ]}
    />
  )
}
