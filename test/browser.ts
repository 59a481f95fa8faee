import { importTool, toolPath } from '../scripts/tools/packages.mjs'

/** The members of Playwright's `Page` that the tests use; see https://playwright.dev/docs/api/class-page. */
export interface Page {
  goto(url: string): Promise<unknown>
  url(): string
  click(selector: string): Promise<void>
  fill(selector: string, value: string): Promise<void>
  selectOption(selector: string, value: string): Promise<unknown>
  waitForSelector(selector: string): Promise<unknown>
  textContent(selector: string): Promise<string | null>
  /** Runs a text as JavaScript in the page and returns its value. */
  evaluate(expression: string): Promise<unknown>
  screenshot(options: { path: string; fullPage?: boolean }): Promise<unknown>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  emulateMedia(options: { colorScheme?: 'light' | 'dark'; reducedMotion?: 'reduce' }): Promise<void>
  content(): Promise<string>
  readonly keyboard: { press(key: string): Promise<void> }
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
  on(event: 'pageerror', listener: (error: Error) => void): void
  on(event: 'request', listener: (request: { url(): string }) => void): void
}

/** The browser of a test. */
export interface Browser {
  newPage(options: { viewport: { width: number; height: number } }): Promise<Page>
  close(): Promise<void>
}

interface Playwright {
  readonly chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> }
}

/** Starts a headless Chromium. Returns the reason if Chromium or Playwright is not installed. */
export async function openBrowser(): Promise<Browser | string> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  try {
    const { chromium } = (await importTool('playwright-core')) as Playwright
    // In a container, Chromium's sandbox does not have the permissions that it needs.
    return await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  } catch (error) {
    const [reason = ''] = String(error).split('\n')
    return `no browser: ${reason}; install Debian's chromium, and run npm run tools`
  }
}

/** The time limit for a condition in a page, and the interval of its checks, in milliseconds. */
const limitMs = 60_000
const lookMs = 50

/**
 * Resolves when a text, run as JavaScript in the page, is true. The page's own content security policy does
 * not allow that to the page.
 */
export async function until(page: Page, expression: string): Promise<void> {
  const endMs = performance.now() + limitMs
  while (!(await page.evaluate(expression))) {
    if (performance.now() > endMs) throw new Error(`the page did not reach: ${expression}`)
    await new Promise((resolve) => setTimeout(resolve, lookMs))
  }
}

/** The program of axe-core (https://github.com/dequelabs/axe-core), to run in a page. */
export async function axeProgram(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(toolPath('axe-core/axe.min.js'), 'utf8')
}
