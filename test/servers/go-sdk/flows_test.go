// Package flows has what teams do with Cloudflare's Go SDK. CLOUDFLARE_BASE_URL and CLOUDFLARE_API_TOKEN name an
// instance of Sluice, ACCOUNT and ZONE its objects, FILES a folder for logs.
package flows

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	cloudflare "github.com/cloudflare/cloudflare-go/v6"
	"github.com/cloudflare/cloudflare-go/v6/dns"
	"github.com/cloudflare/cloudflare-go/v6/logpush"
	"github.com/cloudflare/cloudflare-go/v6/option"
	"github.com/cloudflare/cloudflare-go/v6/rules"
	"github.com/cloudflare/cloudflare-go/v6/rulesets"
	"github.com/cloudflare/cloudflare-go/v6/shared"
	"github.com/cloudflare/cloudflare-go/v6/user"
	"github.com/cloudflare/cloudflare-go/v6/zones"
)

const (
	owasp     = "4814384a9e5d4991b9815dcfc25d2f1f"
	scoreRule = "6179ae15870a4bb7b2d480d4843b323c"
	managed   = rulesets.PhaseHTTPRequestFirewallManaged
)

var (
	ctx     = context.Background()
	client  = cloudflare.NewClient()
	account = cloudflare.F(os.Getenv("ACCOUNT"))
	zone    = cloudflare.F(os.Getenv("ZONE"))
)

func must[T any](t *testing.T) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%v and not %v", got, want)
	}
}

// refused checks that err is the SDK's error with this status, code and message.
func refused(t *testing.T, err error, status int, code int64, message string) {
	t.Helper()
	var refusal *cloudflare.Error
	if !errors.As(err, &refusal) || len(refusal.Errors) == 0 {
		t.Fatalf("not a refusal: %v", err)
	}
	first := refusal.Errors[0]
	if refusal.StatusCode != status || first.Code != code || !strings.Contains(first.Message, message) {
		t.Fatalf("%d %d %q", refusal.StatusCode, first.Code, first.Message)
	}
}

func TestZonesAndRecords(t *testing.T) {
	var found bool
	pages := client.Zones.ListAutoPaging(ctx, zones.ZoneListParams{PerPage: cloudflare.F(5.0)})
	for pages.Next() {
		found = found || pages.Current().ID == zone.Value
	}
	equal(t, pages.Err(), nil)
	equal(t, found, true)
	record := must[*dns.RecordResponse](t)(client.DNS.Records.New(ctx, dns.RecordNewParams{
		ZoneID: zone,
		Body: dns.ARecordParam{
			Name:    cloudflare.F("www"),
			Type:    cloudflare.F(dns.ARecordTypeA),
			Content: cloudflare.F("192.0.2.1"),
			TTL:     cloudflare.F(dns.TTL1),
		},
	}))
	equal(t, record.Name, "www.go.test")
	must[*dns.RecordDeleteResponse](t)(
		client.DNS.Records.Delete(ctx, record.ID, dns.RecordDeleteParams{ZoneID: zone}))
}

func TestTheOWASPRulesetIsReadDeployedAndTuned(t *testing.T) {
	whole := must[*rulesets.RulesetGetResponse](t)(
		client.Rulesets.Get(ctx, owasp, rulesets.RulesetGetParams{ZoneID: zone}))
	equal(t, whole.Rules[len(whole.Rules)-1].ID, scoreRule)
	deploy := func(threshold int64) (*rulesets.PhaseUpdateResponse, error) {
		overrides := rulesets.ExecuteRuleActionParametersOverridesParam{
			Action: cloudflare.F("log"),
			Categories: cloudflare.F([]rulesets.ExecuteRuleActionParametersOverridesCategoryParam{
				{Category: cloudflare.F("paranoia-level-4"), Enabled: cloudflare.F(false)},
			}),
			Rules: cloudflare.F([]rulesets.ExecuteRuleActionParametersOverridesRuleParam{
				{ID: cloudflare.F(scoreRule), ScoreThreshold: cloudflare.F(threshold), Action: cloudflare.F("block")},
				{ID: cloudflare.F(whole.Rules[0].ID), Enabled: cloudflare.F(false)},
			}),
		}
		return client.Rulesets.Phases.Update(ctx, managed, rulesets.PhaseUpdateParams{
			ZoneID: zone,
			Rules: cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{rulesets.ExecuteRuleParam{
				Action:     cloudflare.F(rulesets.ExecuteRuleActionExecute),
				Expression: cloudflare.F("true"),
				ActionParameters: cloudflare.F(rulesets.ExecuteRuleActionParametersParam{
					ID: cloudflare.F(owasp), Overrides: cloudflare.F(overrides),
				}),
			}}),
		})
	}
	must[*rulesets.PhaseUpdateResponse](t)(deploy(25))
	found := must[*rulesets.PhaseGetResponse](t)(
		client.Rulesets.Phases.Get(ctx, managed, rulesets.PhaseGetParams{ZoneID: zone}))
	rule, ok := found.Rules[0].AsUnion().(rulesets.ExecuteRule)
	equal(t, ok, true)
	tuned := rule.ActionParameters.Overrides
	equal(t, tuned.Action, "log")
	equal(t, tuned.Categories[0].Category, "paranoia-level-4")
	equal(t, tuned.Rules[0].ScoreThreshold, 25)
	equal(t, tuned.Rules[1].Enabled, false)
	_, err := deploy(-1)
	refused(t, err, http.StatusBadRequest, 20203, "score_threshold")
}

func TestLogFieldsAreChosen(t *testing.T) {
	fields := []rulesets.LogCustomFieldRuleActionParametersRequestFieldParam{{Name: cloudflare.F("x-team")}}
	made := must[*rulesets.PhaseUpdateResponse](t)(client.Rulesets.Phases.Update(
		ctx, rulesets.PhaseHTTPLogCustomFields, rulesets.PhaseUpdateParams{
			ZoneID: zone,
			Rules: cloudflare.F([]rulesets.PhaseUpdateParamsRuleUnion{rulesets.LogCustomFieldRuleParam{
				Action:     cloudflare.F(rulesets.LogCustomFieldRuleActionLogCustomField),
				Expression: cloudflare.F("true"),
				ActionParameters: cloudflare.F(rulesets.LogCustomFieldRuleActionParametersParam{
					RequestFields: cloudflare.F(fields),
				}),
			}}),
		}))
	rule, ok := made.Rules[0].AsUnion().(rulesets.LogCustomFieldRule)
	equal(t, ok, true)
	equal(t, rule.ActionParameters.RequestFields[0].Name, "x-team")
}

func TestAJobWithAFilter(t *testing.T) {
	job := func(field string) (*logpush.LogpushJob, error) {
		filter := fmt.Sprintf(`{"where":{"key":%q,"operator":"geq","value":400}}`, field)
		return client.Logpush.Jobs.New(ctx, logpush.JobNewParams{
			ZoneID:          zone,
			Dataset:         cloudflare.F(logpush.JobNewParamsDatasetHTTPRequests),
			DestinationConf: cloudflare.F("file://" + os.Getenv("FILES") + "/{DATE}"),
			Enabled:         cloudflare.F(true),
			Filter:          cloudflare.F(filter),
			OutputOptions:   cloudflare.F(logpush.OutputOptionsParam{FieldNames: cloudflare.F([]string{"RayID"})}),
		})
	}
	made := must[*logpush.LogpushJob](t)(job("EdgeResponseStatus"))
	equal(t, made.OutputOptions.FieldNames[0], "RayID")
	_, err := job("NoField")
	refused(t, err, http.StatusBadRequest, 1006, `no field "NoField"`)
	must[*logpush.JobDeleteResponse](t)(
		client.Logpush.Jobs.Delete(ctx, made.ID, logpush.JobDeleteParams{ZoneID: zone}))
}

func TestAListWithItemsAndBulkOperations(t *testing.T) {
	list := must[*rules.ListNewResponse](t)(client.Rules.Lists.New(ctx, rules.ListNewParams{
		AccountID: account, Kind: cloudflare.F(rules.ListNewParamsKindIP), Name: cloudflare.F("go"),
	}))
	done := func(operation string) {
		t.Helper()
		for range 500 {
			found := must[*rules.ListBulkOperationGetResponse](t)(client.Rules.Lists.BulkOperations.Get(
				ctx, operation, rules.ListBulkOperationGetParams{AccountID: account}))
			if found.Status == "completed" {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("the bulk operation does not end")
	}
	body := []rules.ListItemNewParamsBodyUnion{}
	for n := range 120 {
		body = append(body, rules.ListItemNewParamsBody{IP: cloudflare.F(fmt.Sprintf("192.0.2.%d", n))})
	}
	done(must[*rules.ListItemNewResponse](t)(client.Rules.Lists.Items.New(
		ctx, list.ID, rules.ListItemNewParams{AccountID: account, Body: body})).OperationID)
	ids := []rules.ListItemDeleteParamsItem{}
	items := client.Rules.Lists.Items.ListAutoPaging(
		ctx, list.ID, rules.ListItemListParams{AccountID: account, PerPage: cloudflare.F(int64(50))})
	for items.Next() {
		ids = append(ids, rules.ListItemDeleteParamsItem{ID: cloudflare.F(items.Current().ID)})
	}
	equal(t, items.Err(), nil)
	equal(t, len(ids), 120)
	done(must[*rules.ListItemDeleteResponse](t)(client.Rules.Lists.Items.Delete(
		ctx, list.ID, rules.ListItemDeleteParams{AccountID: account, Items: cloudflare.F(ids[1:])})).OperationID)
	found := must[*rules.ListGetResponse](t)(
		client.Rules.Lists.Get(ctx, list.ID, rules.ListGetParams{AccountID: account}))
	equal(t, found.NumItems, 1)
	must[*rules.ListDeleteResponse](t)(
		client.Rules.Lists.Delete(ctx, list.ID, rules.ListDeleteParams{AccountID: account}))
}

func TestATokenIsMadeVerifiedRolledAndDeleted(t *testing.T) {
	const scope = "com.cloudflare.api.account.zone"
	groups := client.User.Tokens.PermissionGroups.ListAutoPaging(ctx, user.TokenPermissionGroupListParams{
		Name: cloudflare.F("Zone Read"), Scope: cloudflare.F(scope),
	})
	equal(t, groups.Next(), true)
	resources := shared.TokenPolicyResourcesIAMResourcesTypeObjectStringParam{scope + "." + zone.Value: "*"}
	made := must[*user.TokenNewResponse](t)(client.User.Tokens.New(ctx, user.TokenNewParams{
		Name: cloudflare.F("go"),
		Policies: cloudflare.F([]shared.TokenPolicyParam{{
			Effect: cloudflare.F(shared.TokenPolicyEffectAllow),
			PermissionGroups: cloudflare.F([]shared.TokenPolicyPermissionGroupParam{
				{ID: cloudflare.F(groups.Current().ID)},
			}),
			Resources: cloudflare.F[shared.TokenPolicyResourcesUnionParam](resources),
		}}),
	}))
	machine := cloudflare.NewClient(option.WithAPIToken(made.Value))
	equal(t, must[*user.TokenVerifyResponse](t)(machine.User.Tokens.Verify(ctx)).ID, made.ID)
	_, err := machine.Rulesets.List(ctx, rulesets.RulesetListParams{ZoneID: zone})
	refused(t, err, http.StatusForbidden, 10000, "Authentication error")
	value := must[*string](t)(client.User.Tokens.Value.Update(
		ctx, made.ID, user.TokenValueUpdateParams{Body: map[string]any{}}))
	_, err = machine.User.Tokens.Verify(ctx)
	refused(t, err, http.StatusUnauthorized, 1000, "Invalid API Token")
	machine = cloudflare.NewClient(option.WithAPIToken(*value))
	equal(t, must[*user.TokenVerifyResponse](t)(machine.User.Tokens.Verify(ctx)).Status, "active")
	must[*user.TokenDeleteResponse](t)(client.User.Tokens.Delete(ctx, made.ID))
	_, err = client.User.Tokens.Get(ctx, made.ID)
	refused(t, err, http.StatusNotFound, 10407, "could not find API token")
}
