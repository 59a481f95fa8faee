import t from 'tap'
import { ControlledScreen } from '../terminal/controlled-screen.js'
import { createScreen } from '../terminal/screen.js'
import { devKeys } from './dev-keys.js'

function terminal(isTTY = true) {
  const written: string[] = []
  const plain = createScreen({ isTTY, write: (text: string) => written.push(text) > 0 }, { NO_COLOR: '1' })
  const screen = new ControlledScreen(plain)
  const program = { inspectorUrl: undefined, restart: async () => {} }
  const keys = devKeys({ program, screen, print: (text) => plain.line(text), quit: () => {} })
  return { written, screen, press: (key: string, text = '') => keys[key]?.run(text) }
}

void t.test('p keeps the output back, and shows it at the next p', (t) => {
  const { written, screen, press } = terminal(false)
  press('p')
  screen.line('one')
  screen.line('two')
  t.strictSame(written.splice(0), ['the output is paused, the program runs; p + Enter continues\n'])
  press('p')
  t.strictSame(written.splice(0), ['one\n', 'two\n'])
  screen.line('three')
  t.strictSame(written.splice(0), ['three\n'])
  press('p')
  for (let line = 0; line < 10_002; line++) screen.line(String(line))
  written.splice(0)
  press('p')
  t.strictSame(
    [written.length, written[0], written.at(-1)],
    [10_001, '2\n', '2 earlier lines were dropped during the pause\n'],
  )
  t.end()
})

void t.test('a progress bar does not write over a paused output', (t) => {
  const { written, screen, press } = terminal()
  screen.status('###')
  press('p')
  written.splice(0)
  screen.status('####')
  t.strictSame(written, [])
  t.end()
})

void t.test('f shows only lines with a text, and all lines without one', (t) => {
  const { written, screen, press } = terminal()
  press('f', 'Greeting')
  screen.line('default/greeting created')
  screen.line('default/logo created')
  press('f')
  screen.line('default/logo deleted')
  t.strictSame(written, [
    'shows only lines with "Greeting"\n',
    'default/greeting created\n',
    'shows all lines\n',
    'default/logo deleted\n',
  ])
  t.end()
})

void t.test('c clears a terminal, and writes nothing to another output', (t) => {
  const tty = terminal()
  tty.screen.status('###')
  tty.press('c')
  t.strictSame(tty.written, ['###', '\u001b[2J\u001b[3J\u001b[H###'])
  const file = terminal(false)
  file.press('c')
  t.strictSame(file.written, [])
  t.end()
})
