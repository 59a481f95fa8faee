import type { ControllerView } from '../model.js'
import type { PairView } from '../pair-model.js'
import { useLive } from './live.js'
import { Heading, ObjectLink, State } from './parts.js'
import { Table } from './table.js'
import { useRequest } from './use-request.js'

/** The Helm releases of each controller that has some. */
export function ReleasesView() {
  const { overview } = useLive()
  const controllers = overview?.controllers.filter(({ hasReleases }) => hasReleases) ?? []
  return (
    <>
      <Heading>Releases</Heading>
      {controllers.map((one) => (
        <Releases key={one.name} controller={one} />
      ))}
      {controllers.length === 0 && <p class="soft">The program has no Helm releases.</p>}
    </>
  )
}

function Releases({ controller: { name, kind } }: { controller: ControllerView }) {
  const { endedRuns } = useLive()
  const { data } = useRequest<{ pairs: readonly PairView[] }>(
    'pairs',
    { syncer: name, limit: '500' },
    endedRuns,
  )
  return (
    <Table<PairView>
      caption={`Releases of ${kind}`}
      items={data?.pairs ?? []}
      keyOf={({ namespace, name }) => `${namespace}/${name}`}
      empty={`There is no ${kind}.`}
      columns={[
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Object', cell: (one) => <ObjectLink of={one} /> },
        { title: 'Release', cell: ({ release }) => (release ? release.name : 'none yet') },
        { title: 'Namespace', layout: 'wide', cell: ({ release }) => release?.namespace ?? '–' },
        { title: 'Revision', layout: 'number', cell: ({ release }) => release?.revision ?? '–' },
        { title: 'Chart', layout: 'wide', cell: ({ release }) => release?.chart ?? '–' },
      ]}
    />
  )
}
