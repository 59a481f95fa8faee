// Finds the strongest boundary that the kernel and the container give between the operator and the processes of
// programs. Nothing is concluded from versions or settings: a process behind the boundary tries what a hostile program
// would try.
import process from 'node:process'
import type { Boundary, BoundaryKind } from './boundary.js'
import { probeBoundary } from './probe-boundary.js'

const boundaries = new Map<string, Promise<Boundary>>()

/** The strongest boundary for a program of Node. It is tested once in the life of this process. */
export function findBoundary(node = process.execPath): Promise<Boundary> {
  const boundary = boundaries.get(node) ?? tryAll(node)
  boundaries.set(node, boundary)
  return boundary
}

async function tryAll(node: string): Promise<Boundary> {
  if (process.platform !== 'linux') return { kind: 'none', reason: 'only Linux has boundaries for programs' }
  const problems: string[] = []
  for (const kind of ['namespaces', 'user'] as const) {
    const problem = mayTry(kind) ? await probeBoundary(kind, node) : 'only root can give users to processes'
    if (problem === undefined) return { kind, reason: problems.join('; ') }
    problems.push(`${nameOf[kind]}: ${problem}`)
  }
  return { kind: 'none', reason: problems.join('; ') }
}

const nameOf = { namespaces: 'namespaces', user: 'a user of its own' }

const mayTry = (kind: Exclude<BoundaryKind, 'none'>) => kind !== 'user' || process.getuid?.() === 0
