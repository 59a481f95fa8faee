import chunk from 'lodash/chunk.js'
import partition from 'lodash/partition.js'

/** So much of a processor is idle for a file more than the loads permit. */
const idleForOneMore = 0.5

/** A slow file counts as so many quick ones. */
const slowOfQuick = 4

/**
 * Decides which test files are started next. Those of a process take as much of the capacity as they load a processor
 * while they run alone, so that files that wait for servers run at the same time as those that compute. At most one
 * more than the capacity runs at a time: each may start servers, and their limits of time are for a machine that is
 * not far behind. While processors are idle, it is two more.
 */
export class TestQueue {
  #waiting
  #running = new Set()
  #capacity

  /** `processes` are `{ files, load }` in the order of their start. One with load 1 takes one of `capacity`. */
  constructor(processes, capacity) {
    this.#waiting = [...processes]
    this.#capacity = capacity
  }

  /** Takes the first process that may start now; undefined if none may. `idle` is the number of idle processors. */
  take(idle = 0) {
    const index = this.#waiting.findIndex((one) => this.#mayStart(one, idle >= idleForOneMore))
    if (index < 0) return undefined
    const [taken] = this.#waiting.splice(index, 1)
    this.#running.add(taken)
    return taken
  }

  /** Notes that a process has ended. */
  done(taken) {
    this.#running.delete(taken)
  }

  #mayStart({ load }, isIdle) {
    const running = [...this.#running]
    if (running.length === 0) return true
    if (running.length > (isIdle ? this.#capacity + 1 : this.#capacity)) return false
    return isIdle || running.reduce((sum, one) => sum + one.load, load) <= this.#capacity
  }
}

/**
 * The processes of a run in the order of their start: the slow files as they are listed, those that share processes,
 * then the others. Up to `shared` quick files, or a quarter as many slow ones, share a process: neighbours by name,
 * which load the same. `quick` has no slow files, `changes` has those that are not nightly, and `all` has all.
 */
export function processesOf(files, slow, run, shared) {
  const others = new Set(files)
  const listed = slow.filter(({ file, isNightly }) => {
    const isThere = others.delete(file)
    return isThere && (run === 'all' || (run === 'changes' && !isNightly))
  })
  const [sharing, alone] = partition(listed, (one) => one.isShared && shared > 1)
  const slowGroups = neighbours(
    sharing.map(({ file }) => file),
    Math.ceil(shared / slowOfQuick),
  )
  const groups = [...slowGroups, ...neighbours([...others], shared)]
  return [
    ...alone.map(({ file, load }) => ({ files: [file], load })),
    ...groups.map((group) => ({ files: group, load: 1 })),
  ]
}

const neighbours = (files, size) => chunk(files.toSorted(), size)

/**
 * Reads the list of slow files. A line has a path, then as options the load, `load=0.25`, default 1, `shared`, if the
 * file may share a process, and `nightly`, if it runs only with all tests. Empty lines and those that begin with `#`
 * are skipped.
 */
export function readSlowTests(text) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return lines.map((line) => {
    const [file, ...options] = line.split(' ')
    const load = options.find((option) => option.startsWith('load=')) ?? 'load=1'
    const has = (option) => options.includes(option)
    return {
      file,
      load: Number(load.replace('load=', '')),
      isShared: has('shared'),
      isNightly: has('nightly'),
    }
  })
}
