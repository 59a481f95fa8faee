import type { Difference, Explanation } from '../explanation-view.js'
import { DiffTable } from './diff-table.js'
import { formatKey, formatMs } from './format.js'
import { useLive } from './live.js'
import { Command, Facts, kubectlGet, Section } from './parts.js'
import { Table } from './table.js'

/** The parts about an original and its copy. */
export function PairParts({ told }: { told: Explanation }) {
  return (
    <>
      <Section title="The pair">
        <PairFacts told={told} />
        <Commands told={told} />
      </Section>
      <Section title="Whose it is">
        <ul>
          {told.ownership.reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      </Section>
      <Section title="What differs">
        <Table<Difference>
          caption="Fields of the copy that are not as wanted; status is not compared"
          items={told.differences}
          keyOf={({ path }) => path}
          empty="No field differs from what the syncer wants."
          columns={[
            { title: 'Field', cell: ({ path }) => path },
            { title: 'Wanted', cell: ({ wanted }) => wanted ?? '(missing)' },
            { title: 'Found', cell: ({ found }) => found ?? '(missing)' },
          ]}
        />
        <DiffTable lines={told.lines} />
      </Section>
    </>
  )
}

function PairFacts({ told }: { told: Explanation }) {
  const { syncer, apiVersion, kind, host, failures, ownership } = told
  const owned = ownership.owned === null ? '–' : ownership.owned ? 'yes' : 'no'
  return (
    <Facts
      entries={[
        ['Syncer', syncer],
        ['Kind', `${apiVersion} ${kind}`],
        ['Virtual', told.hasVirtual ? formatKey(told) : 'does not exist'],
        ['Host', host ?? 'none'],
        ['Owned', owned],
        ['Failures', failures],
        ['Next run', nextRun(told)],
      ]}
    />
  )
}

/** When an object runs again, in words. */
export function nextRun(told: Pick<Explanation, 'isRunning' | 'isWaiting' | 'dueInMs'>): string {
  if (told.isRunning) return 'under way'
  if (told.isWaiting) return 'as soon as a worker is free'
  return told.dueInMs === null ? 'on a change' : `in ${formatMs(told.dueInMs)}`
}

function Commands({ told }: { told: Explanation }) {
  const { host } = told
  const { virtual, host: ofHost } = useLive().overview?.dev?.kubectl ?? {}
  const [namespace = '', name = ''] = host?.includes('/') ? host.split('/') : ['', host ?? '']
  return (
    <>
      {told.hasVirtual && <Command label="virtual" text={kubectlGet(told, virtual)} />}
      {host && <Command label="host" text={kubectlGet({ ...told, namespace, name }, ofHost)} />}
    </>
  )
}
