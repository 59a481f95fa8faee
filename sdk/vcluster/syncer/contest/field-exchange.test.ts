import t from 'tap'
import { FieldExchange, type FieldMove } from './field-exchange.js'

const clockAt = (start: number) => {
  let time = start
  return { now: () => time, pass: (ms: number) => (time += ms) }
}
const move = (from: FieldMove['from'], value: unknown, path = 'data.a'): FieldMove => ({ path, from, value })

void t.test('only a value that a side brings again, after one of the other side, is a turn', async (t) => {
  const exchange = new FieldExchange(clockAt(0))
  const turns = [
    move('host', 1),
    move('virtual', 2),
    move('host', 3),
    move('virtual', undefined),
    move('host', 3),
    move('host', 3),
    move('virtual', undefined),
    move('virtual', null),
  ].map((one) => {
    const turned = exchange.fieldsSetBack('x', [one]).length > 0
    exchange.recordMoves('x', [one])
    return turned
  })
  t.same(turns, [false, false, false, false, true, false, true, false])
  t.same(exchange.fieldsSetBack('other', [move('host', 3)]), [])
})

void t.test(
  'moves are forgotten after a quarter of an hour, and a hundred fields are remembered',
  async (t) => {
    const clock = clockAt(0)
    const exchange = new FieldExchange(clock)
    const fields = (from: FieldMove['from'], start: number, count: number) =>
      Array.from({ length: count }, (_, at) => move(from, 'same', `data.k${start + at}`))
    exchange.recordMoves('x', fields('host', 0, 60))
    exchange.recordMoves('x', fields('virtual', 0, 60))
    t.equal(exchange.fieldsSetBack('x', fields('host', 0, 60)).length, 60)
    exchange.recordMoves('x', fields('host', 60, 1000))
    t.equal(exchange.countOf('x'), 100)
    t.same(exchange.fieldsSetBack('x', fields('host', 0, 60)), [])
    clock.pass(15 * 60_000)
    exchange.recordMoves('x', [move('host', 1)])
    t.equal(exchange.countOf('x'), 1)
  },
)
