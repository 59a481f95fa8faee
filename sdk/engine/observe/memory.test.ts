import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { oldGenerationLimit } from './heap-limit.js'
import type { MemoryUsage } from './memory.js'
import { MemoryGuard } from './memory-guard.js'

const mib = 2 ** 20

void t.test("the old generation's limit is what V8 enforces, not the size of the whole heap", async (t) => {
  const limit = (heapMiB: number, options: string) =>
    oldGenerationLimit({ heapSizeLimit: heapMiB * mib, options, totalBytes: 1000 * mib }) / mib
  t.equal(limit(112, '--max-old-space-size=64'), 64, 'as Node 20 reports it')
  t.equal(limit(256, '--max_old_space_size=64'), 64, 'as Node 24 reports it')
  t.equal(limit(256, '--max-old-space-size=512 --max-old-space-size=64'), 64, 'the last option holds')
  t.equal(limit(4144, '--max-semi-space-size=16'), 4096)
  t.equal(limit(548, '--max-old-space-size-percentage=50'), 500)
  const unset = limit(4288, '--enable-source-maps')
  t.ok(unset <= 4096 && unset > 4000, 'without options the young generation is a small share')
})

/** A process whose garbage is known to the test alone until it is collected. */
class PlayedMemory implements MemoryUsage {
  readonly limitBytes = 1000 * mib
  usedBytes = 0
  collections = 0
  liveMiB = 0
  garbageMiB = 0

  get occupiedBytes(): number {
    return (this.liveMiB + this.garbageMiB) * mib
  }

  collect(): void {
    this.collections++
    this.garbageMiB = 0
    this.usedBytes = this.liveMiB * mib
  }
}

void t.test('a memory far from full is not looked at, however much is read', async (t) => {
  const memory = new PlayedMemory()
  const guard = new MemoryGuard({ memory, clock: new VirtualClock() })
  memory.liveMiB = 100
  memory.garbageMiB = 600
  for (let page = 0; page < 1000; page++) t.ok(guard.hasRoom(2 * mib))
  t.equal(memory.collections, 0)
})

void t.test('garbage does not make a memory full, and is collected seldom', async (t) => {
  const memory = new PlayedMemory()
  const guard = new MemoryGuard({ memory, clock: new VirtualClock() })
  memory.liveMiB = 300
  for (let page = 0; page < 500; page++) {
    memory.garbageMiB += 10
    if (memory.garbageMiB > 700) memory.garbageMiB = 500
    t.ok(guard.hasRoom(2 * mib))
  }
  t.ok(memory.collections < 10, `${memory.collections} collections for 1000 MiB read`)
})

void t.test(
  'memory counts as full before V8 ends the process, and has room again well below that',
  async (t) => {
    const clock = new VirtualClock()
    const memory = new PlayedMemory()
    const guard = new MemoryGuard({ memory, clock })
    let pages = 0
    while (guard.hasRoom(2 * mib)) {
      pages++
      memory.liveMiB += 2
    }
    t.ok(memory.liveMiB >= 740 && memory.liveMiB < 800, `full with ${memory.liveMiB} MiB`)
    t.ok(memory.collections < pages / 5, 'pages are not each followed by a collection')
    memory.liveMiB = 720
    await clock.advance(60_000)
    t.notOk(guard.hasRoom(), 'a little room would be used up at once')
    memory.liveMiB = 600
    const looked = memory.collections
    t.notOk(guard.hasRoom())
    t.equal(memory.collections, looked, 'there is no second collection so soon')
    await clock.advance(60_000)
    t.ok(guard.hasRoom())
  },
)
