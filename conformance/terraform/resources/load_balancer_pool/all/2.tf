variable "account_id" {}

resource "cloudflare_load_balancer_pool" "this" {
  account_id  = var.account_id
  name        = "renamed"
  description = "one server"
  enabled     = false
  origin_steering = {
    policy = "hash"
  }
  origins = [{
    name    = "a"
    address = "192.0.2.2"
    header = {
      host = ["shop.example.com"]
    }
  }]
}
