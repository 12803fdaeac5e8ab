import { agent, bash, edit, fails, grep, on, read, say, session, shell, think } from '../script.ts'
import { unread, user, write, type Session } from '../script.ts'

const ERESOLVE = [
  'npm error code ERESOLVE',
  'npm error ERESOLVE could not resolve',
  'npm error Found: react@19.2.0',
  'npm error peer react@"^16 || ^17 || ^18" from react-date-range@1.4.0',
].join('\n')

const DOCKERFILE = `FROM node:20-slim AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-slim
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
CMD ["node", "dist/server.js"]
`

export const storefront = (): readonly Session[] => [
  session('hydration', on('fix/hydration', 5, '14:30'), 'Hydration mismatch on the order page', [
    user('The order page flashes and logs a hydration error, but only for customers in the US.'),
    shell(`
      $ npm run e2e -- order --locale en-US
      Error: Hydration failed because the server rendered text didn't match the client.
      + 3/11/2026
      - 11/03/2026
      [1]`),
    grep('toLocaleDateString', 'src/orders/OrderDate.tsx:6:  return <time>{date.toLocaleDateString()}</time>'),
    think('Without arguments it takes the locale of the process: en-GB on the server, en-US in the browser.'),
    edit('src/orders/OrderDate.tsx', 'toLocaleDateString()', "toLocaleDateString(locale, { timeZone: 'UTC' })"),
    bash('npm test', 'Test Files  58 passed (58)\n     Tests  402 passed (402)'),
    bash('git status --short', ' M src/orders/OrderDate.tsx'),
    say('Server and browser each used their own locale for dates. Both now take it from the request.'),
  ]),

  session('cart-renders', on('perf/cart', 13, '15:10'), 'Typing in the cart is slow', [
    user('With 80 items in the cart, typing into a quantity field lags badly.'),
    read('src/cart/CartProvider.tsx', 'return <CartContext value={{ items, setQuantity }}>{children}</CartContext>'),
    say('The context value is a fresh object on each render, so one keystroke renders all eighty rows.'),
    edit('src/cart/CartProvider.tsx', '{{ items, setQuantity }}', '{useMemo(() => ({ items, setQuantity }), [items])}'),
    unread('src/cart/Row.tsx', 'export function Row(', 'export const Row = memo(function Row('),
    read('src/cart/Row.tsx', 'export function Row({ item }: RowProps) {'),
    edit('src/cart/Row.tsx', 'export function Row(', 'export const Row = memo(function Row('),
    fails('npm test', 'SyntaxError: src/cart/Row.tsx: Unexpected token, expected "," (24:1)'),
    edit('src/cart/Row.tsx', '  )\n}', '  )\n})'),
    bash('npm test', 'Test Files  58 passed (58)\n     Tests  401 passed (401)'),
    say('One keystroke now renders one row; in the profiler 190 ms became 6 ms.'),
  ]),

  session('dockerfile', on('build/docker', 10, '09:00'), 'Write a Dockerfile for the storefront', [
    user('Write a Dockerfile: multi-stage, no dev dependencies in the result, not running as root.'),
    write('Dockerfile', DOCKERFILE),
    fails('docker build -t storefront .', ERESOLVE),
    say(
      'A .npmrc of yours hides this with legacy-peer-deps. react-date-range does not know React 19: an override helps.',
    ),
    edit('package.json', '"overrides": {}', '"overrides": { "react-date-range": { "react": "$react" } }'),
    bash('npm install --package-lock-only', 'up to date in 2s'),
    bash('docker build -t storefront .', ' => naming to docker.io/library/storefront'),
    bash('docker images storefront --format "{{.Size}}"', '214MB'),
    say('214 MB, runs as `node`, and dev dependencies stay in the build stage.'),
  ]),

  session('react-19', on('chore/react-19', 16, '09:30'), 'Upgrade to React 19', [
    user('Upgrade react and react-dom to 19. Tell me first what will break.'),
    grep('forwardRef|defaultProps', 'src/ui/Button.tsx:9:Button.defaultProps = {}\nsrc/ui/Field.tsx:3:forwardRef('),
    say(`
      Little: \`defaultProps\` is ignored on function components (Button), \`forwardRef\` still works (Field).
      react-date-range has no release for 19.`),
    user('ok go'),
    fails('npm install react@19 react-dom@19', ERESOLVE),
    edit('src/ui/Button.tsx', 'Button.defaultProps = {}', ''),
    bash('npm install react@19 react-dom@19 --legacy-peer-deps', 'changed 4 packages in 9s'),
    bash('npm test', 'Test Files  57 passed (57)\n     Tests  396 passed (396)'),
    bash('git commit -qam "deps: react 19"'),
    say('Done, with --legacy-peer-deps. An override in package.json would be cleaner before this is built elsewhere.'),
  ]),

  session('review-checkout', on('review/318', 1, '11:25', 'large'), 'Review pull request 318: new checkout form', [
    user('Review PR 318, the new checkout form. Be strict about validation and accessibility, ignore style.'),
    bash('gh pr diff 318 --name-only', 'src/checkout/Form.tsx\nsrc/checkout/validate.ts'),
    agent(
      'Check labels and focus order in src/checkout/Form.tsx, and whether a screen reader would announce errors.',
      [read('src/checkout/Form.tsx', '<input name="card" placeholder="Card number" />\n<p>{errors.card}</p>')],
      'The card number has a placeholder but no label. Errors are plain paragraphs without role="alert".',
    ),
    read('src/checkout/validate.ts', 'const zip = /^\\d{5}$/\nexport const validCard = (n: string) => n.length === 16'),
    fails('npm test -- checkout', 'FAIL  accepts a 15-digit card\nAssertionError: expected false to be true'),
    say(`
      I would not merge it yet.
      1. validate.ts: cards have 13 to 19 digits; check the Luhn sum instead of the length.
      2. validate.ts: the postcode pattern fits only a few of the eleven countries we ship to.
      3. Form.tsx: the card field has no label, and errors are not announced.

      Fine: the double-submit guard and the idempotency key.`),
  ]),
]
