// SPDX-License-Identifier: MIT
/*
 * sentence.c — the rules for the ends of sentences
 *
 * A fast scan finds the bytes that can end a sentence; the slow rules look only there. The scan
 * reads each byte once; the rules look a bounded number of bytes around a stop.
 */
#include "sentence.h"

#include "alloc.h"
#include "map.h"
#include "scan.h"

/* "=": never the last word of a sentence, whatever follows. */
static const char *const builtin[] = {
    "=e.g",   "=i.e",     "=cf",        "=viz",   "=vs",      "=fig",    "=figs",
    "=eq",    "=eqs",     "=eqn",       "=eqns",  "=tab",     "=tabs",   "=ref",
    "=refs",  "=sect",    "=sec",       "=chap",  "=ch",      "=suppl",  "=supp",
    "=app",   "=vol",     "=vols",      "=pp",    "=p",       "=no",     "=nos",
    "=nr",    "=pl",      "=pls",       "=sch",   "=ca",      "=approx", "=resp",
    "=esp",   "=dr",      "=prof",      "=mr",    "=mrs",     "=ms",     "=st",
    "=mt",    "=mts",     "=gen",       "=lat",   "=long",    "=incl",   "=max",
    "=min",   "=avg",     "=temp",      "=conc",  "=mol",     "=dept",   "=univ",
    "=inst",  "=lab",     "=ed",        "=eds",   "=aff",     "=nov",    "=var",
    "=subsp", "=ssp",     "=spp",       "=fm",    "=gp",      "=mbr",    "=jan",
    "=feb",   "=mar",     "=apr",       "=jun",   "=jul",     "=aug",    "=sept",
    "=sep",   "=oct",     "=dec",       "=int",   "=j",       "=proc",   "=trans",
    "=bull",  "=geochim", "=cosmochim", "=geol",  "=geophys", "=sci",    "=lett",
    "=res",   "=rev",     "=nat",       "=acad",  "=phys",    "=chem",   "=earth planet",
    "=wt",    "=vol%",    "=al",        "=et al", "=pers",    "=comm",   "=unpubl",
    "=obs",   "=def",     "=phil",      "=am",    "=mineral", "=petrol", "=contrib",
    "=ser",   "=art",     "=anal",      "=calc",  "etc",      "sp",      "inc",
    "ltd",    "co",       "corp",       "jr",     "sr",       "u.s",     "u.k",
    "a.m",    "p.m",      "b.p",        "a.d",    "b.c",      "ph.d",    "u.s.a",
    "=n.b",   "=s.l",     "=s.s",       "=s.str", "=a.k.a",   "=op.cit", "=loc.cit",
    "=c.f",   "=w.r.t",
};
