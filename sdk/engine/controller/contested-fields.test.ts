import t from 'tap'
import { ContestedFields } from './contested-fields.js'

/** A record with a clock that tests move, and the answers of repairs that are made if they may be. */
function makeContested() {
  const clock = { nowMs: 0, now: () => clock.nowMs }
  const contested = new ContestedFields(clock)
  const repair = (id: string, ...paths: string[]) => {
    const may = contested.mayRepair(id, paths)
    if (may) contested.recordRepair(id, paths)
    return may
  }
  return { clock, contested, repair }
}

const times = (count: number, repair: () => boolean) => Array.from({ length: count }, repair)
const fiveOf = (count: number) => Array.from({ length: count }, (_, index) => index < 5)

void t.test('repairs are also counted when uncontested objects are forgotten', (t) => {
  const { repair } = makeContested()
  for (let index = 0; index < 1000; index++) repair(`${index}`, 'spec')
  t.strictSame(
    times(7, () => repair('last', 'spec')),
    fiveOf(7),
  )
  t.end()
})

void t.test('a repair that was not written does not count', (t) => {
  const { contested, repair } = makeContested()
  t.strictSame(new Set(times(20, () => contested.mayRepair('one', ['spec']))), new Set([true]))
  t.strictSame(
    times(7, () => repair('one', 'spec')),
    fiveOf(7),
  )
  t.end()
})

void t.test('a paused field does not hold up another one, whose repair does not shorten the pause', (t) => {
  const { clock, repair } = makeContested()
  t.strictSame(
    times(6, () => repair('one', 'spec.paused')),
    fiveOf(6),
  )
  t.strictSame(
    times(7, () => repair('one', 'spec.paused', 'spec.image')),
    fiveOf(7),
  )
  clock.nowMs = 9_999
  t.notOk(repair('one', 'spec.paused'))
  clock.nowMs = 10_000
  t.ok(repair('one', 'spec.paused'))
  t.end()
})

void t.test('fields with ever new names are damped as one', (t) => {
  const { clock, repair } = makeContested()
  let repairs = 0
  for (let second = 0; second < 600; second++) {
    clock.nowMs = second * 1000
    if (repair('one', `data["${second}"]`)) repairs++
  }
  t.ok(repairs < 250, `${repairs} repairs in ten minutes`)
  const long = `data["${'a'.repeat(300)}"]`
  t.strictSame(
    times(7, () => repair('two', `${long}${clock.nowMs++}`)),
    fiveOf(7),
  )
  t.end()
})
