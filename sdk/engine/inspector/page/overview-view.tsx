import { progressText } from '../../manager/progress-text.js'
import type { ProgressView } from '../../manager/progress-view.js'
import { type PairPage, type PairView, pairStates } from '../pair-model.js'
import { CallsOverview } from './calls-overview.js'
import { formatMs } from './format.js'
import { LinkedText } from './linked-text.js'
import { type Live, useLive } from './live.js'
import { Heading, ObjectLink, State, severityOf } from './parts.js'
import { hashOf } from './route.js'
import { Table } from './table.js'
import { useRequest } from './use-request.js'
import { ControllerCard, SyncerCard } from './work-card.js'

const shownFailing = 10

/** The objects that need a person, and how every syncer and controller does. */
export function OverviewView() {
  const live = useLive()
  const { overview } = live
  if (overview?.plugin.mode === 'cnpg') return <CallsOverview overview={overview} />
  return (
    <>
      <Heading>Overview</Heading>
      {overview?.progress && <Progress progress={overview.progress} />}
      <Failing live={live} />
      <section aria-label="Syncers and controllers">
        <h2>Syncers and controllers</h2>
        <div class="cards">
          {overview?.syncers.map((one) => (
            <SyncerCard key={one.name} syncer={one} nowMs={overview.atMs} />
          ))}
          {overview?.controllers.map((one) => (
            <ControllerCard key={one.name} controller={one} nowMs={overview.atMs} />
          ))}
        </div>
      </section>
    </>
  )
}

/** Without a total the bar says only that something goes on. */
function Progress({ progress }: { progress: ProgressView }) {
  const { done, total } = progress
  const extent = total === null ? {} : { value: done, max: Math.max(1, total) }
  return (
    <p>
      <progress aria-label="The start" {...extent} /> {progressText(progress)}
    </p>
  )
}

const needsPerson = ({ state, failures }: PairView) => severityOf(state) === 'bad' || failures > 0

function Failing({ live: { endedRuns } }: { live: Live }) {
  const { data, problem } = useRequest<PairPage>('pairs', { limit: String(shownFailing * 5) }, endedRuns)
  if (!data) return <p class="soft">{problem ?? 'Asking the program …'}</p>
  const failing = data.pairs.filter(needsPerson)
  const bad = pairStates.filter((state) => severityOf(state) === 'bad')
  const count = Math.max(
    failing.length,
    bad.reduce((sum, state) => sum + data.counts[state], 0),
  )
  return (
    <section class={`card ${count > 0 ? 'alarm' : 'calm'}`} aria-label="Objects that need you">
      <h2>
        {count === 0
          ? 'Every object is well'
          : count === 1
            ? '1 object needs you'
            : `${count} objects need you`}
      </h2>
      <p class="counts">
        {pairStates
          .filter((state) => data.counts[state] > 0)
          .map((state) => (
            <a key={state} class={`chip ${severityOf(state)}`} href={hashOf('objects', { state })}>
              {data.counts[state]} {state}
            </a>
          ))}
      </p>
      {failing.length > 0 && <FailingTable pairs={failing.slice(0, shownFailing)} />}
    </section>
  )
}

function FailingTable({ pairs }: { pairs: readonly PairView[] }) {
  return (
    <Table<PairView>
      caption="Failing objects"
      items={pairs}
      keyOf={(one) => `${one.syncer} ${one.namespace}/${one.name}`}
      empty=""
      columns={[
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Object', cell: (one) => <ObjectLink of={one} /> },
        { title: 'Kind', cell: ({ kind }) => kind },
        { title: 'Reason', cell: ({ problem }) => <LinkedText text={problem ?? '–'} /> },
        { title: 'Failures', layout: 'number', cell: ({ failures }) => failures },
        {
          title: 'Next run',
          layout: 'short',
          cell: ({ dueInMs }) => (dueInMs === null ? 'on a change' : `in ${formatMs(dueInMs)}`),
        },
      ]}
    />
  )
}
