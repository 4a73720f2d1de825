variable "account_id" {}

resource "cloudflare_load_balancer_pool" "this" {
  account_id      = var.account_id
  name            = "servers"
  minimum_origins = 2
  origins = [
    { name = "a", address = "192.0.2.1", port = 8080, weight = 0.5 },
    { name = "b", address = "lb.example.com", enabled = false },
  ]
}
