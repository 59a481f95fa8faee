import type { ControllerExplanation } from '../controller-explanation.js'
import type { DriftView, ReleaseView, RevisionView } from '../release-view.js'
import { useLive } from './live.js'
import { Command, Facts, Section } from './parts.js'
import { Table } from './table.js'
import { Time } from './time.js'

/** The Helm release of an object; nothing if it has none. */
export function ReleasePart({ explanation }: { explanation: ControllerExplanation }) {
  const { releaseDetails: release, releaseError } = explanation
  const kubectls = useLive().overview?.dev?.kubectl ?? {}
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
      <Command label="helm" text={helmHistory(release, kubectls[release.cluster])} />
      <Drift release={release} />
      <Revisions release={release} />
    </Section>
  )
}

/** The command with the kubeconfig and the context of a kubectl command; helm calls its flag `--kube-context`. */
function helmHistory({ name, namespace }: ReleaseView, kubectl = 'kubectl'): string {
  const flags = kubectl.slice('kubectl'.length).replace(' --context', ' --kube-context')
  return `helm history ${name} -n ${namespace}${flags}`
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

/** The objects that a revision changed, each with its fields. */
function Changed({ changes }: Pick<RevisionView, 'changes'>) {
  if (changes === null) return <>–</>
  if (changes.length === 0) return <>nothing</>
  return (
    <details class="patch">
      <summary>{changes.length === 1 ? '1 object' : `${changes.length} objects`}</summary>
      <ul>
        {changes.map(({ object, what, fields }) => (
          <li key={`${what} ${object}`}>
            {object} {what} {fields.map((field) => [<code key={field}>{field}</code>, ' '])}
          </li>
        ))}
      </ul>
    </details>
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
        { title: 'Revision', layout: 'number', cell: ({ revision }) => revision },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'Chart', cell: ({ chart }) => chart },
        { title: 'At', layout: 'wide', cell: ({ atMs }) => <Time atMs={atMs} /> },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Changed', cell: ({ changes }) => <Changed changes={changes} /> },
      ]}
    />
  )
}
