import type { WatchView } from '../model.js'
import { formatCounts, formatMs } from './format.js'
import { useLive } from './live.js'
import { Heading } from './parts.js'
import { Table } from './table.js'

/** Every kind that is watched, and how that goes. */
export function WatchesView() {
  const { overview } = useLive()
  return (
    <>
      <Heading>Watches</Heading>
      <Table<WatchView>
        caption="Watches"
        isTitled
        items={overview?.watches ?? []}
        keyOf={({ side, apiVersion, kind, namespace }) => `${side} ${apiVersion} ${kind} ${namespace}`}
        empty="Nothing is watched yet."
        columns={[
          { title: 'Cluster', cell: ({ side }) => side },
          { title: 'Kind', cell: ({ apiVersion, kind }) => `${apiVersion} ${kind}` },
          { title: 'Namespace', cell: ({ namespace }) => namespace ?? 'all' },
          {
            title: 'State',
            cell: (watch) => <span class={`badge ${severityOf(watch)}`}>{stateOf(watch)}</span>,
          },
          { title: 'Objects', layout: 'number', cell: ({ objects }) => objects },
          { title: 'Age', layout: 'wide', cell: ({ ageMs }) => formatMs(ageMs) },
          { title: 'Quiet for', cell: ({ quietMs }) => formatMs(quietMs) },
          { title: 'Lists', layout: 'wide', cell: ({ lists }) => lists },
          { title: 'Streams', layout: 'wide', cell: ({ streams }) => streams },
          { title: 'Restarts', layout: 'wide', cell: ({ restarts }) => formatCounts(restarts) },
          {
            title: 'Resource version',
            layout: 'wide',
            cell: ({ resourceVersion }) => resourceVersion ?? '–',
          },
        ]}
      />
    </>
  )
}

function stateOf({ served, synced }: WatchView): string {
  if (!served) return 'not served'
  return synced ? 'synced' : 'first list'
}

const severityOf = ({ served, synced }: WatchView) => (!served ? 'bad' : synced ? 'good' : 'warn')
