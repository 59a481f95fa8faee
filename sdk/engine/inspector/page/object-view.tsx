import type { ControllerExplanation } from '../controller-explanation.js'
import type { EventView, Explanation } from '../explanation-view.js'
import { ControlledParts } from './controlled-parts.js'
import { formatKey } from './format.js'
import { LinkedText } from './linked-text.js'
import { type Live, useLive } from './live.js'
import { PairParts } from './pair-parts.js'
import { Heading, Section, State } from './parts.js'
import type { Route } from './route.js'
import { RunAgain } from './run-again.js'
import { Table } from './table.js'
import { Time } from './time.js'
import { Timeline } from './timeline.js'
import { TimelineChart } from './timeline-chart.js'
import { useRequest } from './use-request.js'

type AnyExplanation = Explanation | ControllerExplanation

/** One object of a syncer or a controller, and everything known about it. */
export function ObjectView({ route: { query } }: { route: Route }) {
  const objectKey = {
    syncer: query.get('syncer') ?? '',
    namespace: query.get('namespace') ?? '',
    name: query.get('name') ?? '',
  }
  const version = lastRunOf(useLive(), objectKey)
  const { data, problem } = useRequest<AnyExplanation[]>('why', objectKey, version)
  const [explanation] = data ?? []
  return (
    <>
      <Heading>{formatKey(objectKey)}</Heading>
      {explanation ? (
        <Explained explanation={explanation} />
      ) : (
        <p role="status">{problem ?? sentenceWithout(data)}</p>
      )}
    </>
  )
}

/** Changes when a run of the object has ended. */
function lastRunOf({ feed }: Live, objectKey: { syncer: string; namespace: string; name: string }): string {
  const lastRun = feed.find(
    ({ syncer, namespace, name }) =>
      syncer === objectKey.syncer && namespace === objectKey.namespace && name === objectKey.name,
  )
  return lastRun ? `${lastRun.id} ${lastRun.times}` : ''
}

const sentenceWithout = (data: readonly AnyExplanation[] | undefined) =>
  data ? 'The program does not know of it.' : 'Asking the program …'

function Explained({ explanation }: { explanation: AnyExplanation }) {
  return (
    <>
      <p class="summary" role="status">
        <State state={explanation.state} /> <LinkedText text={explanation.summary} />
      </p>
      <RunAgain explanation={explanation} />
      <div class="columns">
        <StatePart explanation={explanation} />
        <HistoryPart explanation={explanation} />
      </div>
    </>
  )
}

/** How the object is now: the first column of a wide window. */
function StatePart({ explanation }: { explanation: AnyExplanation }) {
  return (
    <div>
      <Section title="At a glance">
        <TimelineChart timeline={explanation.timeline} events={explanation.events} />
      </Section>
      {'controller' in explanation ? (
        <ControlledParts explanation={explanation} />
      ) : (
        <PairParts explanation={explanation} />
      )}
    </div>
  )
}

/** The history of the object: the second column of a wide window. */
function HistoryPart({ explanation }: { explanation: AnyExplanation }) {
  return (
    <div>
      <Section title="What happened">
        <Timeline timeline={explanation.timeline} />
      </Section>
      <Section title="Events">
        <Events explanation={explanation} />
      </Section>
    </div>
  )
}

function Events({ explanation: { events, eventsError } }: { explanation: AnyExplanation }) {
  if (eventsError !== undefined) return <p class="soft">The Events could not be read: {eventsError}</p>
  return (
    <Table<EventView>
      caption="Events of the object, the latest first"
      items={[...events].reverse()}
      keyOf={({ atMs, reason, message }) => `${atMs} ${reason} ${message}`}
      empty="None."
      columns={[
        { title: 'At', cell: ({ atMs }) => <Time atMs={atMs} /> },
        { title: 'Type', cell: ({ type }) => type },
        { title: 'Reason', cell: ({ reason, count }) => (count > 1 ? `${reason} (${count} times)` : reason) },
        { title: 'From', layout: 'wide', cell: ({ from }) => from },
        { title: 'Message', cell: ({ message }) => message },
      ]}
    />
  )
}
