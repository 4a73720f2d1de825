variable "account_id" {}
variable "zone_id" {}
variable "domain" {}

resource "cloudflare_load_balancer_pool" "main" {
  account_id = var.account_id
  name       = "main"
  origins    = [{ name = "a", address = "192.0.2.1" }]
}

resource "cloudflare_load_balancer" "this" {
  zone_id          = var.zone_id
  name             = "lb.${var.domain}"
  description      = "with sessions"
  default_pools    = [cloudflare_load_balancer_pool.main.id]
  fallback_pool    = cloudflare_load_balancer_pool.main.id
  proxied          = true
  steering_policy  = "random"
  session_affinity = "cookie"
  rules = [{
    name      = "gone"
    condition = "http.request.uri.path eq \"/gone\""
    fixed_response = {
      status_code  = 410
      message_body = "gone"
      content_type = "text/plain"
    }
  }]
}
