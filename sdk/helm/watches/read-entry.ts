import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { PluginError } from '../../engine/kube/error.js'
import type { FileChart } from '../chart/chart.js'
import { loadChart } from '../chart/load-chart.js'
import type { EntryReader } from './entry-reader.js'
import { readDefinitionFile } from './read-definition-file.js'
import { type OverrideOptions, readOverrides } from './read-overrides.js'
import {
  readBoolean,
  readDurationMs,
  readGroup,
  readInteger,
  readKind,
  readLabel,
  readOneOf,
  readPositiveDurationMs,
  readSelector,
  readText,
  readVersion,
  ValueProblem,
} from './read-value.js'
import type { WatchEntry } from './watch-entry.js'

const keys = [
  ...[
    'group',
    'version',
    'kind',
    'plural',
    'namespaced',
    'chart',
    'watchDependentResources',
    'overrideValues',
  ],
  ...[
    'overrideStringValues',
    'reconcilePeriod',
    'maxConcurrentReconciles',
    'selector',
    'target',
    'targetNamespace',
  ],
  ...[
    'createNamespace',
    'releaseName',
    'wait',
    'timeout',
    'maxHistory',
    'onFailure',
    'crds',
    'adopt',
    'driftDetection',
  ],
  ...['definition', 'repeatedEnv', 'doubtfulValues'],
]

/** Options of {@link readEntry}. */
export interface EntryOptions extends OverrideOptions {
  /** The folder to which the paths of charts are relative. */
  readonly folder: string
}

/** Reads an entry. Problems are added to the reader; with a problem, the entry is not complete. */
export async function readEntry(reader: EntryReader, options: EntryOptions): Promise<WatchEntry | undefined> {
  reader.checkKeys(keys)
  const resource = {
    group: reader.optional('group', readGroup) ?? '',
    version: reader.required('version', readVersion) ?? '',
    kind: reader.required('kind', readKind) ?? '',
    ...omitUndefined({
      plural: reader.optional('plural', readLabel),
      namespaced: reader.optional('namespaced', readBoolean),
    }),
  }
  const chart = await readChart(reader, options.folder)
  const overrides = [
    ...(await readOverrides(reader, 'overrideValues', options)),
    ...(await readOverrides(reader, 'overrideStringValues', options)),
  ]
  const definition = await readDefinitionFile(reader, { folder: options.folder, resource })
  const rest = { ...readRuns(reader), ...readReleases(reader), ...omitUndefined({ definition }) }
  return chart && reader.problems.length === 0 ? { resource, chart, overrides, ...rest } : undefined
}

async function readChart(reader: EntryReader, folder: string): Promise<FileChart | undefined> {
  const path = reader.required('chart', readText)
  if (path === undefined) return undefined
  try {
    return await loadChart(resolve(folder, path))
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    reader.add(['chart'], error.message)
    return undefined
  }
}

/** When and how often custom resources are reconciled. */
function readRuns(reader: EntryReader) {
  return {
    watchDependentResources: reader.optional('watchDependentResources', readBoolean) ?? true,
    reconcilePeriodMs: reader.optional('reconcilePeriod', readDurationMs) ?? 60_000,
    maxConcurrentReconciles:
      reader.optional('maxConcurrentReconciles', readInteger(1)) ?? availableParallelism(),
    ...omitUndefined({ selector: reader.optional('selector', readSelector) }),
  }
}

/** The options about the location of releases and their operations. */
function readReleases(reader: EntryReader) {
  return omitUndefined({
    ...readTarget(reader),
    ...readNamespace(reader),
    releaseName: reader.optional('releaseName', readOneOf('name', 'name-hash')),
    wait: reader.optional('wait', readOneOf('none', 'ready', 'jobs')),
    timeoutMs: reader.optional('timeout', readPositiveDurationMs),
    maxHistory: reader.optional('maxHistory', readInteger(0)),
    onFailure: reader.optional('onFailure', readOneOf('retry', 'uninstall', 'rollback')),
    crds: reader.optional('crds', readOneOf('install', 'upgrade', 'skip')),
    driftDetection: reader.optional('driftDetection', readOneOf('correct', 'report', 'off')),
    doubtfulValues: reader.optional('doubtfulValues', readOneOf('warn', 'refuse', 'ignore')),
    repeatedEnv: reader.optional('repeatedEnv', readOneOf('refuse', 'last')),
  })
}

/** The cluster of releases, and whether those of others are taken over there. */
function readTarget(reader: EntryReader) {
  const target = reader.optional('target', readOneOf('virtual', 'host'))
  const adopt = reader.optional('adopt', readOneOf('never', 'same-chart', 'always'))
  reader.try(['adopt'], () => {
    if (adopt !== 'always' || target !== 'host') return
    throw new ValueProblem(
      '"always" is not allowed with the target "host": it would take over releases of others',
    )
  })
  return { target, adopt }
}

/** The namespace of releases, and whether it is created. */
function readNamespace(reader: EntryReader) {
  const targetNamespace = reader.optional('targetNamespace', readLabel)
  const createNamespace = reader.optional('createNamespace', readBoolean)
  reader.try(['createNamespace'], () => {
    if (!createNamespace || targetNamespace !== undefined) return
    throw new ValueProblem('it needs targetNamespace: the namespace of the custom resource exists')
  })
  return { targetNamespace, createNamespace }
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

/** The members that have a value. */
function omitUndefined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>
}
