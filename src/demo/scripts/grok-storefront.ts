import { agent, bash, denied, edit, fails, grep, on, read, say, session, shell, think } from '../script.ts'
import { queued, together, user, type Session } from '../script.ts'

export const grokStorefront = (): readonly Session[] => [
  session('price-rounding', on('fix/rounding', 3, '10:15', 'large'), 'Cart total is one cent off for three items', [
    user('A cart with three items of 0.10 shows 0.31. Find out where the cent comes from.'),
    think('Either the price is kept as a float or tax is rounded per line. Look at the cart first.'),
    grep('total', 'src/cart/total.ts:12:  return lines.reduce((sum, line) => sum + round(line.price * 1.05), 0)'),
    read('src/cart/total.ts', 'const round = (n: number) => Math.round(n * 100) / 100'),
    say('Tax is rounded for each line and the rounded lines are added up. I round once, on the sum.'),
    edit('src/cart/total.ts', 'sum + round(line.price * 1.05), 0)', 'sum + line.price, 0) * 1.05'),
    fails('npm test -- cart', 'AssertionError: expected 0.315 to equal 0.32'),
    think('The sum itself must be rounded now, half up.'),
    edit('src/cart/total.ts', 'return lines.reduce', 'return round(lines.reduce'),
    bash('npm test -- cart', 'Test Files  1 passed (1)\n     Tests  14 passed (14)'),
    say('The total is rounded once, after tax. Three items of 0.10 now come to 0.32, and the test says so.'),
    user('commit it'),
    bash('git commit -am "cart: round the total once, after tax"', '[fix/rounding 3fa12c9] cart: round the total once'),
    say('Committed as 3fa12c9.'),
  ]),

  session('image-cdn', on('feat/image-cdn', 8, '15:20'), 'Serve product pictures through the image CDN', [
    user('Product pictures are 3 MB each. Put them behind the image CDN and ask for the width we need.'),
    agent(
      'Find every place that renders a product picture and say which width it needs',
      [grep('<img', 'src/product/card.tsx:31\nsrc/product/zoom.tsx:18\nsrc/cart/line.tsx:9')],
      'Three places: the card needs 320, the zoom 1280, the cart line 96.',
    ),
    together(
      read('src/product/card.tsx', '<img src={product.picture} />'),
      read('src/cart/line.tsx', '<img src={line.product.picture} />'),
    ),
    edit('src/product/card.tsx', 'src={product.picture}', 'src={sized(product.picture, 320)}'),
    queued('use webp where the browser takes it'),
    edit('src/product/sized.ts', '`?w=${width}`', '`?w=${width}&fm=auto`'),
    denied('aws s3 sync dist s3://storefront-live'),
    user('not to production, please. just run the tests'),
    shell(`
      $ npm test
      Test Files  22 passed (22)
           Tests  187 passed (187)`),
    say('All three places ask for their width and the CDN picks the format. A card is 14 KB now instead of 3 MB.'),
  ]),
]
