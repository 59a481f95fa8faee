import { openBrowser } from '../machine/open-browser.js'
import type { ControlledScreen } from '../terminal/controlled-screen.js'
import type { Keys } from '../terminal/keys.js'
import type { DevProgram } from './programs/dev-program.js'

/** Options of {@link devKeys}. */
export interface DevKeysOptions {
  program: Pick<DevProgram, 'inspectorUrl' | 'restart'>
  screen: Pick<ControlledScreen, 'clear' | 'filter' | 'isPaused' | 'pause' | 'resume'>
  /** Shows an answer to a key, also while the output is paused or filtered. */
  print: (text: string) => void
  /** Stops `dev` and the program. */
  quit: () => void
}

/** The keys of `dev`; the letters r, o, c and q are those of Vite. */
export function devKeys({ program, screen, print, quit }: DevKeysOptions): Keys {
  return {
    r: { label: 'restart the program', run: () => void program.restart() },
    o: { label: 'open the inspector', run: () => open(program.inspectorUrl, print) },
    p: { label: 'pause the output, or continue', run: () => pauseOrContinue(screen, print) },
    f: {
      label: 'show only lines with TEXT; without a text all lines',
      argument: 'TEXT',
      run(text) {
        screen.filter(text)
        print(text ? `shows only lines with ${JSON.stringify(text)}` : 'shows all lines')
      },
    },
    c: { label: 'clear the terminal', run: () => screen.clear() },
    q: { label: 'stop everything', run: quit },
  }
}

function pauseOrContinue(screen: DevKeysOptions['screen'], print: (text: string) => void): void {
  if (screen.isPaused) {
    const dropped = screen.resume()
    if (dropped > 0) print(`${dropped} earlier lines were dropped during the pause`)
  } else {
    screen.pause()
    print('the output is paused, the program runs; p + Enter continues')
  }
}

function open(url: string | undefined, print: (text: string) => void): void {
  if (url === undefined) print('the inspector is at the address in METRICS_ADDRESS')
  else {
    print(`opening the inspector, ${url}`)
    openBrowser(url, () => print(`cannot start a browser; open ${url} yourself`))
  }
}
