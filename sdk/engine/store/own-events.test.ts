import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { KubeObject, ObjectMeta } from '../kube/object.js'
import type { ObjectEventType } from '../watch/event-head.js'
import type { PendingEvent } from '../watch/own-events.js'
import type { Change } from './store.js'
import { StoreWriter } from './store-writer.js'
import { isWrittenBy } from './writer.js'

const by = { controller: 'widget', key: { namespace: 'default', name: 'a' } }
const key = (name: string) => ({ namespace: 'default', name })
const cm = (name: string, resourceVersion: number, uid = `${name}1`): KubeObject => ({
  metadata: { namespace: 'default', name, uid, resourceVersion: `${resourceVersion}` },
})

/** A store with `a` at 5, and its watch, which offers each event as a watch of an API server does. */
class Watched {
  readonly clock = new VirtualClock()
  readonly confirmed: number[] = []
  readonly writer = new StoreWriter({ clock: this.clock, onConfirmed: (ms) => this.confirmed.push(ms) })
  readonly changes: Change[] = []
  readonly dropped: ObjectMeta[] = []

  constructor() {
    this.list(10, cm('a', 5))
    this.changes.length = 0
  }

  list(resourceVersion: number, ...objects: KubeObject[]): void {
    this.writer.release()
    this.#apply({ type: 'listStarted' })
    for (const object of objects) this.#apply({ type: 'listed', object })
    this.#apply({ type: 'listDone', resourceVersion: `${resourceVersion}` })
  }

  bookmark(resourceVersion: number): void {
    this.#apply({ type: 'bookmark', resourceVersion: `${resourceVersion}` })
  }

  /** An event of the watch. */
  say(type: ObjectEventType, object: KubeObject, bytes = 100): void {
    const { name = '', uid = '', resourceVersion = '' } = object.metadata
    const head = {
      type,
      apiVersion: 'v1',
      kind: 'ConfigMap',
      namespace: 'default',
      name,
      uid,
      resourceVersion,
    }
    const deliver = () => this.#apply({ type: type === 'DELETED' ? 'deleted' : 'applied', object })
    const event: PendingEvent = { head, bytes, deliver, drop: (metadata) => this.dropped.push(metadata) }
    if (!this.writer.areExpected || !this.writer.take(event)) deliver()
  }

  answer(object: KubeObject, writer?: typeof by): void {
    this.changes.push(...this.writer.noteWritten(object, writer))
  }

  get words(): string[] {
    return this.changes
      .splice(0)
      .map(
        ({ key, object, gone, writtenBy }) =>
          `${gone ? '-' : '+'}${key.name}@${object.metadata.resourceVersion}${writtenBy ? ' own' : ''}`,
      )
  }

  shown(name = 'a'): string | undefined {
    return this.writer.store.get(key(name))?.metadata.resourceVersion
  }

  #apply(event: Parameters<StoreWriter['apply']>[0]): void {
    this.changes.push(...this.writer.apply(event))
  }
}

void t.test('an event before the answer waits for it, and is dropped if it repeats it', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  t.strictSame([watched.words, watched.shown()], [[], '5'])
  watched.say('ADDED', cm('b', 12))
  t.strictSame(watched.words, ['+b@12'], 'other objects do not wait')
  await watched.clock.advance(7)
  watched.answer(cm('a', 11), by)
  t.strictSame([watched.words, watched.shown(), watched.dropped], [['+a@11 own'], '11', []])
  watched.writer.endWrite(key('a'))
  t.strictSame([watched.words, watched.dropped.length], [[], 1])
  t.strictSame([watched.writer.areExpected, watched.confirmed], [false, [0]])
  watched.say('MODIFIED', cm('a', 13))
  t.strictSame(watched.words, ['+a@13'])
})

void t.test('an event after the answer is dropped if it repeats it', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.answer({ metadata: { ...cm('a', 11).metadata, managedFields: [{ manager: 'us' }] } }, by)
  watched.writer.endWrite(key('a'))
  t.strictSame([watched.words, watched.writer.store.unconfirmed.count], [['+a@11 own'], 1])
  await watched.clock.advance(5)
  watched.say('MODIFIED', cm('a', 11))
  t.strictSame([watched.words, watched.confirmed, watched.writer.store.resourceVersion], [[], [5], '11'])
  t.match(watched.dropped, [{ managedFields: [{ manager: 'us' }] }], 'the whole answer is known')
  t.notOk(isWrittenBy({ writtenBy: by }, { controller: 'other', key: by.key }))
  t.notOk(isWrittenBy({ writtenBy: by }, { controller: 'widget', key: key('b') }))
})

void t.test(
  'another writer’s change during our write is a change, before and after the answer',
  async (t) => {
    for (const isEarly of [true, false]) {
      const watched = new Watched()
      watched.writer.beginWrite(key('a'))
      if (isEarly) watched.say('MODIFIED', cm('a', 11))
      watched.answer(cm('a', 12), by)
      watched.writer.endWrite(key('a'))
      if (!isEarly) watched.say('MODIFIED', cm('a', 11))
      watched.say('MODIFIED', cm('a', 12))
      t.strictSame(watched.words, ['+a@12 own', '+a@12'], 'the second one has no writer')
      t.equal(watched.shown(), '12')
    }
  },
)

void t.test('the events of several writes of one object are all known', async (t) => {
  const watched = new Watched()
  for (const revision of [11, 12, 13]) {
    watched.writer.beginWrite(key('a'))
    watched.answer(cm('a', revision), by)
    watched.writer.endWrite(key('a'))
  }
  for (const revision of [11, 12, 13]) watched.say('MODIFIED', cm('a', revision))
  t.strictSame(watched.words, ['+a@11 own', '+a@12 own', '+a@13 own'])
  t.strictSame([watched.writer.areExpected, watched.dropped.length], [false, 3])
})

void t.test('after a write that failed every event is delivered, in order', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  watched.say('DELETED', cm('a', 12))
  watched.say('ADDED', cm('a', 13, 'a2'))
  t.strictSame(watched.words, [])
  watched.writer.endWrite(key('a'))
  t.strictSame([watched.words, watched.shown()], [['+a@11', '-a@12', '+a@13'], '13'])
})

void t.test('an object that is deleted while it is written is gone', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  watched.say('DELETED', cm('a', 12))
  watched.say('ADDED', cm('b', 20))
  watched.answer(cm('a', 11), by)
  watched.writer.endWrite(key('a'))
  t.strictSame([watched.words, watched.shown()], [['+b@20', '+a@11 own', '-a@12'], undefined])
  watched.writer.beginWrite(key('b'))
  // The API server answers the write that takes off the last finalizer with the object as it was deleted.
  watched.answer(cm('b', 21), by)
  watched.writer.endWrite(key('b'))
  watched.say('DELETED', cm('b', 21))
  t.strictSame([watched.words, watched.shown('b')], [['+b@21 own', '-b@21'], undefined])
})

void t.test(
  'a list comes after all that has waited, and the answer may be older than the list',
  async (t) => {
    const watched = new Watched()
    watched.writer.beginWrite(key('a'))
    watched.say('MODIFIED', cm('a', 11))
    watched.list(20)
    t.strictSame(watched.words, ['+a@11', '-a@11'])
    watched.answer(cm('a', 11), by)
    t.strictSame([watched.words, watched.shown()], [[], undefined], 'nothing that is gone comes back')
    watched.writer.endWrite(key('a'))
    watched.writer.beginWrite(key('b'))
    watched.list(30)
    watched.answer(cm('b', 31), by)
    watched.say('ADDED', cm('b', 31))
    watched.writer.endWrite(key('b'))
    t.strictSame([watched.words, watched.shown('b')], [['+b@31 own'], '31'])
  },
)

void t.test('a watch that restarts resumes at its position, even with waiting events', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  // The next watch begins after 11, and never says it again.
  watched.say('MODIFIED', cm('a', 12))
  watched.bookmark(15)
  t.strictSame(
    [watched.words, watched.shown()],
    [['+a@11', '+a@12'], '12'],
    'a bookmark is said of all before it',
  )
  watched.answer(cm('a', 11), by)
  watched.writer.endWrite(key('a'))
  t.strictSame([watched.words, watched.shown()], [[], '12'])
})

void t.test('nothing waits forever, nor in any number', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  await watched.clock.advance(999)
  t.strictSame(watched.words, [])
  await watched.clock.advance(1)
  t.strictSame(watched.words, ['+a@11'])
  watched.say('MODIFIED', cm('a', 12))
  t.strictSame(watched.words, ['+a@12'], 'nor does what comes then')
  watched.writer.endWrite(key('a'))
  watched.writer.beginWrite(key('a'))
  for (let revision = 20; revision < 36; revision++) watched.say('MODIFIED', cm('a', revision))
  t.strictSame(watched.words, [])
  watched.say('MODIFIED', cm('a', 36))
  t.equal(watched.words.length, 17)
  watched.writer.endWrite(key('a'))
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 40), 5 * 1024 * 1024)
  t.strictSame(watched.words, ['+a@40'])
  watched.writer.endWrite(key('a'))
  t.equal(watched.writer.areExpected, false)
})

void t.test('two writes of one object at a time end when both have', async (t) => {
  const watched = new Watched()
  watched.writer.beginWrite(key('a'))
  watched.writer.beginWrite(key('a'))
  watched.say('MODIFIED', cm('a', 11))
  watched.say('MODIFIED', cm('a', 12))
  watched.answer(cm('a', 12), by)
  watched.writer.endWrite(key('a'))
  watched.answer(cm('a', 11), by)
  t.strictSame(watched.words, ['+a@12 own'])
  watched.writer.endWrite(key('a'))
  t.equal(watched.shown(), '12')
})

type Step = { do: string; name: string; index: number }

/** An API server whose watch and answers are late, and whose clients tell when they begin to write. */
class LateServer {
  readonly watched = new Watched()
  readonly states = new Map<string, { revision: number; object: KubeObject | undefined }[]>()
  /** The last revision of each name that others wrote. */
  readonly #theirs = new Map<string, number>()
  #revision = 100
  #events: (() => void)[] = []
  #answers: (() => void)[] = []
  #lowest = new Map<string, number>()

  do({ do: action, name, index }: Step): void {
    if (action === 'theirs') this.#theirs.set(name, Number(this.#write(name).metadata.resourceVersion))
    else if (action === 'ours') this.#writeOurs(name)
    else if (action === 'fail') this.#fail(name)
    else if (action === 'delete') this.#delete(name)
    else if (action === 'deliver') this.#events.shift()?.()
    else if (action === 'answer')
      for (const answer of this.#answers.splice(index % (this.#answers.length || 1), 1)) answer()
    else if (action === 'relist') this.#relist()
    else if (this.#events.length === 0) this.watched.bookmark(this.#revision)
  }

  finish(): void {
    while (this.#answers.length + this.#events.length > 0) {
      this.#answers.shift()?.()
      this.#events.shift()?.()
    }
    this.watched.bookmark(this.#revision)
  }

  current(name: string): KubeObject | undefined {
    return this.states.get(name)?.at(-1)?.object
  }

  /** Throws if a name shows what it was before something that it has shown already. */
  check(name: string): void {
    const shown = this.watched.shown(name)
    const states = [{ revision: 0, object: undefined }, ...(this.states.get(name) ?? [])]
    const lowest = this.#lowest.get(name) ?? 0
    const fits = states.filter(({ object }, index) => {
      const isUntil = states[index + 1]?.revision ?? Number.POSITIVE_INFINITY
      return object?.metadata.resourceVersion === shown && isUntil > lowest
    })
    if (!fits[0]) throw new Error(`${name} went back to ${shown} from ${lowest}`)
    this.#lowest.set(name, Math.max(lowest, fits[0].revision))
  }

  /** Whether a change without a writer shows the last write of others to an object, or a later one. */
  isTold(name: string): boolean {
    const changes = this.watched.changes.filter((change) => change.key.name === name)
    if (!this.current(name)) return changes.length === 0 || changes.at(-1)?.gone === true
    const theirs = this.#theirs.get(name) ?? 0
    const told = changes.filter(({ writtenBy }) => !writtenBy)
    return theirs === 0 || told.some(({ object }) => Number(object.metadata.resourceVersion) >= theirs)
  }

  #write(name: string): KubeObject {
    const uid = this.current(name)?.metadata.uid ?? `${name}-${this.#revision}`
    const object = cm(name, ++this.#revision, uid)
    this.#record(name, object, 'MODIFIED', object)
    return object
  }

  #writeOurs(name: string): void {
    this.watched.writer.beginWrite(key(name))
    const object = this.#write(name)
    this.#answers.push(() => {
      this.watched.answer(object, { controller: 'widget', key: key(name) })
      this.watched.writer.endWrite(key(name))
    })
  }

  #fail(name: string): void {
    this.watched.writer.beginWrite(key(name))
    this.#answers.push(() => this.watched.writer.endWrite(key(name)))
  }

  #delete(name: string): void {
    const object = this.current(name)
    this.#theirs.delete(name)
    if (object) this.#record(name, undefined, 'DELETED', cm(name, ++this.#revision, object.metadata.uid))
  }

  #record(name: string, object: KubeObject | undefined, type: ObjectEventType, event: KubeObject): void {
    this.states.set(name, [...(this.states.get(name) ?? []), { revision: this.#revision, object }])
    this.#events.push(() => this.watched.say(type, event))
  }

  #relist(): void {
    this.#events = []
    this.watched.list(this.#revision, ...['a', 'b'].flatMap((name) => this.current(name) ?? []))
  }
}

void t.test(
  'however late events and answers are, no reader goes back, and all writes of others are shown',
  async () => {
    const step = fc.record({
      do: fc.constantFrom(
        'theirs',
        'ours',
        'ours',
        'fail',
        'delete',
        'deliver',
        'deliver',
        'answer',
        'answer',
        'bookmark',
        'relist',
      ),
      name: fc.constantFrom('a', 'b'),
      index: fc.nat(3),
    })
    const run = (steps: Step[]) => {
      const server = new LateServer()
      server.do({ do: 'relist', name: 'a', index: 0 })
      server.watched.changes.length = 0
      for (const each of steps) {
        server.do(each)
        server.check('a')
        server.check('b')
      }
      server.finish()
      for (const name of ['a', 'b']) {
        if (server.watched.shown(name) !== server.current(name)?.metadata.resourceVersion)
          throw new Error(`${name} ends at ${server.watched.shown(name)}`)
        if (!server.isTold(name)) throw new Error(`no change shows the writes of others to ${name}`)
      }
      if (server.watched.writer.areExpected) throw new Error('something still waits')
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns: 1000 })
  },
)
