/**
 * The objects after each step of helm. They change only with the inputs of helm, and take minutes to make, so they are
 * kept in the cache of the user.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { ClusterObject, ClusterObjects } from './cluster-objects.js'

/** The objects after each step. */
export interface Snapshots {
  readonly installed: ClusterObjects
  readonly upgraded: ClusterObjects
  readonly rolledBack: ClusterObjects
  readonly uninstalled: ClusterObjects
}

const folder = join(homedir(), '.cache/test-helm-snapshots')
/** How objects are read is an input as well. */
const reading = ['cluster-objects.ts', 'real-charts.test.ts', 'play-jobs.ts']

/** Returns the snapshots that were kept for the same inputs; else makes and keeps them. */
export async function keptSnapshots(
  inputs: readonly (string | Buffer)[],
  make: () => Promise<Snapshots>,
): Promise<Snapshots> {
  const sources = await Promise.all(reading.map((file) => readFile(join(import.meta.dirname, file))))
  const path = join(folder, `${digestOf([...inputs, ...sources])}.json.gz`)
  const kept = await readFile(path).catch(() => undefined)
  if (kept) return decode(gunzipSync(kept).toString())
  const snapshots = await make()
  await mkdir(folder, { recursive: true })
  await writeFile(`${path}.${process.pid}`, gzipSync(encode(snapshots)))
  await rename(`${path}.${process.pid}`, path)
  return snapshots
}

function digestOf(parts: readonly (string | Buffer)[]): string {
  const digests = parts.map((part) => createHash('sha256').update(part).digest('hex'))
  return createHash('sha256').update(digests.join()).digest('hex').slice(0, 32)
}

const encode = (snapshots: Snapshots) =>
  JSON.stringify(Object.fromEntries(Object.entries(snapshots).map(([step, objects]) => [step, [...objects]])))

function decode(text: string): Snapshots {
  const steps = JSON.parse(text) as Record<keyof Snapshots, [string, ClusterObject][]>
  const objects = Object.entries(steps).map(([step, entries]) => [step, new Map(entries)])
  return Object.fromEntries(objects) as Snapshots
}
