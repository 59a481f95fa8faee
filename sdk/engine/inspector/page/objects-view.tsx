import { useState } from 'preact/hooks'
import type { Overview } from '../model.js'
import { type PairPage, type PairState, type PairView, pairStates } from '../pair-model.js'
import { formatMs } from './format.js'
import { LinkedText } from './linked-text.js'
import { useLive } from './live.js'
import { Heading, ObjectLink, State, severityOf } from './parts.js'
import { hashOf, type Route } from './route.js'
import { SearchField } from './search-field.js'
import { Table } from './table.js'
import { useRequest } from './use-request.js'

const pageSize = 100

interface Filter {
  readonly text: string
  readonly syncer: string
  readonly state: string
}

/** Every object of every syncer and controller, to be searched; those first that need a person. */
export function ObjectsView({ route: { query } }: { route: Route }) {
  const { overview, endedRuns } = useLive()
  const [filter, setFilter] = useState<Filter>({
    text: query.get('text') ?? '',
    syncer: query.get('syncer') ?? '',
    state: query.get('state') ?? '',
  })
  const [limit, setLimit] = useState(pageSize)
  const { data, problem } = useRequest<PairPage>('pairs', { ...filter, limit: String(limit) }, endedRuns)
  const change = (part: Partial<Filter>) => {
    const next = { ...filter, ...part }
    setFilter(next)
    setLimit(pageSize)
    // The address has the filter, and the history gets no entry for every letter.
    history.replaceState(null, '', hashOf('objects', { ...next }))
  }
  return (
    <>
      <Heading>Objects</Heading>
      <Search filter={filter} overview={overview} onChange={change} />
      {data && <Counts page={data} state={filter.state} onChange={(state) => change({ state })} />}
      <p class="soft" role="status">
        {problem ?? (data ? `${data.matched} found` : 'Asking the program …')}
      </p>
      {data && <Objects page={data} />}
      {data && data.matched > data.pairs.length && (
        <button type="button" onClick={() => setLimit(limit + pageSize)}>
          Show more
        </button>
      )}
    </>
  )
}

function Search({
  filter,
  overview,
  onChange,
}: {
  filter: Filter
  overview: Overview | undefined
  onChange: (part: Partial<Filter>) => void
}) {
  const { syncers = [], controllers = [] } = overview ?? {}
  return (
    <search>
      <form onSubmit={(event) => event.preventDefault()}>
        <SearchField label="Name or namespace" value={filter.text} onChange={(text) => onChange({ text })} />
        <label>
          Syncer or controller
          <select
            name="syncer"
            value={filter.syncer}
            onChange={({ currentTarget }) => onChange({ syncer: currentTarget.value })}
          >
            <option value="">all</option>
            {[...syncers, ...controllers].map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </form>
    </search>
  )
}

/** How many there are in each state. A press shows only those, a second press all. */
function Counts({
  page: { counts },
  state,
  onChange,
}: {
  page: PairPage
  state: string
  onChange: (state: string) => void
}) {
  const shown = pairStates.filter((one: PairState) => counts[one] > 0 || one === state)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border
    <div class="counts" role="group" aria-label="Objects by state">
      {shown.map((one) => (
        <button
          key={one}
          type="button"
          class={`chip ${severityOf(one)}`}
          aria-pressed={one === state}
          onClick={() => onChange(one === state ? '' : one)}
        >
          {counts[one]} {one}
        </button>
      ))}
    </div>
  )
}

function Objects({ page }: { page: PairPage }) {
  return (
    <Table<PairView>
      caption="Objects"
      isTitled
      items={page.pairs}
      keyOf={(one) => `${one.syncer} ${one.namespace}/${one.name}`}
      empty="No object fits."
      columns={[
        { title: 'State', cell: ({ state }) => <State state={state} /> },
        { title: 'Kind', cell: ({ kind }) => kind },
        { title: 'Object', cell: (one) => <ObjectLink of={one} /> },
        { title: 'Copy or release', layout: 'wide', cell: counterpart },
        { title: 'Reason', layout: 'wide', cell: ({ problem }) => <LinkedText text={problem ?? '–'} /> },
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

function counterpart({ host, hasHost, release }: PairView): string {
  if (release) return `release ${release.name}, revision ${release.revision}`
  return hasHost ? (host ?? '–') : '–'
}
